import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** A value that the owner decides: an item of the list in RELEASING.md. */
export interface Decision {
	what: string;
	value: string;
	/** Every file that it stands in. */
	files: string[];
	isMade: boolean;
}

const HEADING = '## What the owner decides';
const ITEM = /^- \[([ x])\] ([^:`]+): `([^`]+)` in ((?:`[^`]+`(?:, )?)+)$/;

/**
 * The list of RELEASING.md; it has one line for each value.
 * @throws Error when a line is written otherwise: what it asks for would not be checked.
 */
export function decisionsIn(releasing: string): Decision[] {
	const [, section = ''] = releasing.split(HEADING);
	const [list = ''] = section.split('\n## ');
	// A line that is too long goes on in the next.
	return list
		.replace(/\n {2,}/g, ' ')
		.split('\n')
		.filter((line) => line.startsWith('- ['))
		.map((line) => {
			const [, box, what = '', value = '', files = ''] = ITEM.exec(line) ?? [];
			if (box === undefined) throw new Error(`RELEASING.md: this line cannot be read: ${line}`);
			const names = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
			return { what, value, files: names, isMade: box === 'x' };
		});
}

const manifestSchema = z.object({ version: z.string() });

/**
 * What in the repository keeps a version from being released.
 * @param folder of the repository
 * @param tag from which the release is made, if it is made from one
 */
export function releaseObjections(folder: string, tag?: string): string[] {
	const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
	const { version } = manifestSchema.parse(JSON.parse(read('package.json')));
	return [
		...decisionsIn(read('RELEASING.md')).flatMap((decision) => decisionObjections(decision, read)),
		...changelogObjections(read('CHANGELOG.md'), version),
		...(tag === undefined || tag === `v${version}`
			? []
			: [`The tag is ${tag}, but package.json has the version ${version}`]),
	];
}

function decisionObjections(
	{ what, value, files, isMade }: Decision,
	read: (file: string) => string,
): string[] {
	const without = files.filter((file) => !read(file).includes(value));
	return [
		...(isMade ? [] : [`RELEASING.md: not decided yet: ${what}`]),
		...without.map((file) => `${file} does not have what RELEASING.md says: ${what}: ${value}`),
	];
}

function changelogObjections(changelog: string, version: string): string[] {
	const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
	if (heading === undefined) return [`CHANGELOG.md has no section ${version}`];
	return /\d{4}-\d{2}-\d{2}$/.test(heading.trim())
		? []
		: [`CHANGELOG.md has no date for ${version}`];
}
