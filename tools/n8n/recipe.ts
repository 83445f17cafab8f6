/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { exampleFiles } from './examples';
import { NEWEST } from './versions';

/** `npm run recipe -- story-in-scenes`: the plays and kills of one recipe, on the newest n8n. */
const [name = ''] = process.argv.slice(2);
const names = exampleFiles().map((file) => path.basename(file, '.json'));
if (names.includes(name)) {
	const jest = ['jest', '--config', 'test/n8n/jest.config.cjs'];
	const args = [...jest, 'recipes/recipes.test', '--selectProjects', NEWEST];
	// All kills are played side by side before the first test: `-t` alone would not choose.
	const env = { ...process.env, KILLS_OF: `${name}.json` };
	const { status } = spawnSync('npx', [...args, '-t', name], { stdio: 'inherit', env });
	process.exitCode = status ?? 1;
} else {
	process.stderr.write(`Which recipe? There are: ${names.join(', ')}\n`);
	process.exitCode = 1;
}
