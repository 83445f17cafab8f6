import path from 'node:path';
import { releaseObjections } from './releaseCheck';

/** `npm run release:check`: ends with an error while something keeps this version from a release. */
const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined;
const objections = releaseObjections(path.resolve(__dirname, '../../..'), tag);
const lines = objections.length > 0 ? objections : ['Ready for release'];
process.stdout.write(`${lines.join('\n')}\n`);
if (objections.length > 0) process.exitCode = 1;
