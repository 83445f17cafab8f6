/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readmeForNpm } from './readme';
import { releaseObjections } from './releaseCheck';

const FOLDER = path.resolve(__dirname, '../..');

/** `npm run release`: ends with an error while something keeps this version from a release. */
function check(): void {
	const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
	const objections = releaseObjections(
		FOLDER,
		GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined,
	);
	console.log(objections.join('\n') || 'Ready for release');
	if (objections.length > 0) process.exitCode = 1;
}

/** `npm run release -- readme`, in the copy from which GitHub publishes: it is not committed. */
function writeReadme(): void {
	const file = path.join(FOLDER, 'README.md');
	const manifest: unknown = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
	writeFileSync(file, readmeForNpm(readFileSync(file, 'utf8'), manifest));
}

if (process.argv[2] === 'readme') writeReadme();
else check();
