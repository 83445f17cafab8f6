import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { exampleFiles } from '../programs/realN8n/examples';
import { NEWEST } from '../programs/realN8n/versions';

/** `npm run recipe -- story-in-scenes`: what is tested of one recipe, on the newest n8n. */
const [name = ''] = process.argv.slice(2);
const names = exampleFiles().map((file) => path.basename(file, '.json'));
if (names.includes(name)) {
	const jest = ['jest', '--config', 'test/e2e/jest.config.cjs', 'e2e/recipes.test'];
	const args = [...jest, '--selectProjects', NEWEST, '-t', name];
	const { status } = spawnSync('npx', args, { stdio: 'inherit' });
	process.exitCode = status ?? 1;
} else {
	process.stderr.write(`Which recipe? There are: ${names.join(', ')}\n`);
	process.exitCode = 1;
}
