import { execFileSync } from 'node:child_process';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');

/** Jest takes all that follows `--selectProjects` for names, up to the next option. */
test.each([
	['test:unit', 'test/unit/json.test.ts'],
	['test:engine', 'test/engine/moderation.test.ts'],
])('npm run %s -- %s runs that file alone', (script, file) => {
	const args = ['run', '--silent', script, '--', file, '--listTests'];
	const listed = execFileSync('npm', args, { cwd: PROJECT, encoding: 'utf8', stdio: 'pipe' });
	const files = listed.split('\n').filter((line) => line.endsWith('.test.ts'));
	expect(files).toEqual([path.join(PROJECT, file)]);
});
