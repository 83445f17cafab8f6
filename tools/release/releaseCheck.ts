/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const HEADING = '## What the owner decides';
/** A value that the owner decides: whether it is decided, what it is, and all files it stands in. */
const ITEM = /^- \[([ x])\] ([^:`]+): `([^`]+)` in ((?:`[^`]+`(?:, )?)+)$/;

const manifestSchema = z.object({ version: z.string() });

/**
 * What in the repository keeps a version from being released.
 * @param folder of the repository
 * @param tag from which the release is made, if it is made from one
 * @throws Error when a line of RELEASING.md is written otherwise: what it asks for would not be checked.
 */
export function releaseObjections(folder: string, tag?: string): string[] {
	const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
	const { version } = manifestSchema.parse(JSON.parse(read('package.json')));
	const [, section = ''] = read('RELEASING.md').split(HEADING);
	const [list = ''] = section.split('\n## ');
	// A line that is too long goes on in the next.
	const decisions = list.replace(/\n {2,}/g, ' ').match(/^- \[.*$/gm) ?? [];
	const heading = read('CHANGELOG.md').match(/^## \[.*$/gm) ?? [];
	const dated = heading.some(
		(line) => line.startsWith(`## [${version}]`) && /\d{4}-\d{2}-\d{2}$/.test(line.trim()),
	);
	return [
		...decisions.flatMap((line) => decisionObjections(line, read)),
		...(dated ? [] : [`CHANGELOG.md has no section ${version} with a date`]),
		...(tag === undefined || tag === `v${version}`
			? []
			: [`The tag is ${tag}, but package.json has the version ${version}`]),
	];
}

function decisionObjections(line: string, read: (file: string) => string): string[] {
	const [, box, what = '', value = '', files = ''] = ITEM.exec(line) ?? [];
	if (box === undefined) throw new Error(`RELEASING.md: this line cannot be read: ${line}`);
	const without = files.split(/`(?:, `)?/).filter((file) => file && !read(file).includes(value));
	return [
		...(box === 'x' ? [] : [`RELEASING.md: not decided yet: ${what}`]),
		...without.map((file) => `${file} does not have what RELEASING.md says: ${what}: ${value}`),
	];
}
