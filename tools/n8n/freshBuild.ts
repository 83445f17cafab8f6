/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(__dirname, '../..');
const SOURCES = ['nodes', 'credentials', 'tsconfig.json', 'gulpfile.js'];

/** When something in a file or folder was last written, moved or deleted; 0 when there is none. */
function changedAtMs(name: string): number {
	const at = path.join(PROJECT, name);
	if (!existsSync(at)) return 0;
	const inside = statSync(at).isDirectory() ? readdirSync(at, { recursive: true }) : [];
	const all = [at, ...inside.map((entry) => path.join(at, String(entry)))];
	return Math.max(...all.map((entry) => statSync(entry).mtimeMs));
}

/**
 * Builds the node unless the build is newer than what is written; before tests that run the build.
 * @throws Error when it does not compile; the compiler has then said why
 */
export default function ensureFreshBuild(): void {
	if (changedAtMs('dist') >= Math.max(...SOURCES.map(changedAtMs))) return;
	process.stdout.write('Building the node, which has changed since the last build\n');
	execFileSync('npm', ['run', '--silent', 'build'], { cwd: PROJECT, stdio: 'inherit' });
}
