import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** A value that stands in for the owner's, and every file that it stands in. */
export interface Placeholder {
	what: string;
	text: string;
	files: string[];
}

/**
 * What the owner fills in before the first release: what RELEASING.md calls missing. A value that is
 * right as it is loses its entry here.
 */
export const PLACEHOLDERS: Placeholder[] = [
	{
		what: 'repository',
		text: 'github.com/n8n-nodes-videogen-tasks/n8n-nodes-videogen-tasks',
		files: [
			'package.json',
			'credentials/VideogenApi.credentials.ts',
			'nodes/Videogen/Videogen.node.json',
		],
	},
	{
		what: 'ways to install before there is a release',
		text: 'This works after the first release on npm.',
		files: ['README.md'],
	},
	{
		what: 'author',
		text: 'The n8n-nodes-videogen-tasks founders',
		files: ['package.json', 'LICENSE'],
	},
	{
		what: 'email of the author',
		text: 'n8n-nodes-videogen-tasks@users.noreply.github.com',
		files: ['package.json'],
	},
];

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
		...placeholdersIn(read),
		...changelogObjections(read('CHANGELOG.md'), version),
		...(tag === undefined || tag === `v${version}`
			? []
			: [`The tag is ${tag}, but package.json has the version ${version}`]),
	];
}

const placeholdersIn = (read: (file: string) => string): string[] =>
	PLACEHOLDERS.flatMap(({ what, text, files }) =>
		files
			.filter((file) => read(file).includes(text))
			.map((file) => `${file} still has a placeholder for the ${what}: ${text}`),
	);

function changelogObjections(changelog: string, version: string): string[] {
	const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
	if (heading === undefined) return [`CHANGELOG.md has no section ${version}`];
	return /\d{4}-\d{2}-\d{2}$/.test(heading.trim())
		? []
		: [`CHANGELOG.md has no date for ${version}`];
}
