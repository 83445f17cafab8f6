import path from 'node:path';
import { lookUpWithNpm } from './packageName';
import { releaseReport } from './releaseCheck';

/** `npm run release:check`: ends with an error while something keeps this version from a release. */
async function main(): Promise<void> {
	const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
	const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined;
	const folder = path.resolve(__dirname, '../..');
	const { lines, isReady } = await releaseReport(folder, lookUpWithNpm(), tag);
	process.stdout.write(`${lines.join('\n')}\n`);
	if (!isReady) process.exitCode = 1;
}

void main();
