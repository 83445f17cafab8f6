import { execFile } from 'node:child_process';
import { z } from 'zod';

/** What the registry in use knows of a package name. */
export type NameState =
	{ kind: 'free' } | { kind: 'taken'; repository: string } | { kind: 'notAsked'; reason: string };

export type NameLookup = (name: string) => Promise<NameState>;

const publishedSchema = z.object({
	name: z.string(),
	repository: z.object({ url: z.string() }).optional(),
});
const npmErrorSchema = z.object({ error: z.object({ code: z.string(), summary: z.string() }) });

/** npm's own pauses between its tries are minutes. */
const SHORT_PAUSES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/** What `npm view` says of a name, with the registry that npm is configured to use. */
export const lookUpWithNpm =
	(environment = process.env): NameLookup =>
	async (name) =>
		await new Promise((resolve) => {
			const args = ['view', name, '--json', ...SHORT_PAUSES];
			execFile('npm', args, { env: environment }, (_error, stdout) => resolve(nameState(stdout)));
		});

function nameState(answer: string): NameState {
	const json = parsed(answer);
	const published = publishedSchema.safeParse(json);
	if (published.success) {
		return { kind: 'taken', repository: published.data.repository?.url ?? 'none' };
	}
	const failed = npmErrorSchema.safeParse(json);
	if (!failed.success) return { kind: 'notAsked', reason: 'npm gave no usable answer' };
	const { code, summary } = failed.data.error;
	return code === 'E404' ? { kind: 'free' } : { kind: 'notAsked', reason: summary };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** npm writes `git+https://….git` for what package.json may have without both. */
const plainUrl = (url: string): string =>
	url
		.replace(/^git\+/, '')
		.replace(/\.git$/, '')
		.toLowerCase();

/** What is said of the name, and whether it keeps the version from being released. */
export function nameFinding(
	own: { name: string; repository: { url: string } },
	state: NameState,
): { text: string; isObjection: boolean } {
	if (state.kind === 'notAsked') {
		const text = `Could not look whether the name ${own.name} is free: ${state.reason}`;
		return { text, isObjection: false };
	}
	if (state.kind === 'free') {
		const text = `The name ${own.name} is free, as far as the registry in use knows`;
		return { text, isObjection: false };
	}
	return plainUrl(state.repository) === plainUrl(own.repository.url)
		? { text: `The name ${own.name} is this project's already`, isObjection: false }
		: {
				text: `The name ${own.name} is taken: its repository is ${state.repository}`,
				isObjection: true,
			};
}
