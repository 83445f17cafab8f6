import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readmeForNpm } from './readme';
import { releaseObjections } from './releaseCheck';

const FOLDER = path.resolve(__dirname, '../..');

/** `npm run release`: ends with an error while something keeps this version from a release. */
function check(): void {
	const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
	const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined;
	const objections = releaseObjections(FOLDER, tag);
	const lines = objections.length > 0 ? objections : ['Ready for release'];
	process.stdout.write(`${lines.join('\n')}\n`);
	if (objections.length > 0) process.exitCode = 1;
}

/** `npm run release -- readme`, in the copy from which GitHub publishes: it is not committed. */
function writeReadme(): void {
	const file = path.join(FOLDER, 'README.md');
	const manifest: unknown = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
	writeFileSync(file, readmeForNpm(readFileSync(file, 'utf8'), manifest));
}

const [command] = process.argv.slice(2);
if (command === 'readme') writeReadme();
else check();
