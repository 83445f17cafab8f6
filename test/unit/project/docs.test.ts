/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ERROR_KINDS } from '../../../nodes/Videogen/shared/messages';
import { messagesText } from '../../../tools/docs/messages';
import { referenceText } from '../../../tools/docs/reference';
import { exampleFiles, readExample } from '../../../tools/n8n/examples';
import { tableRows } from '../../support/markdown';

const PROJECT = path.join(__dirname, '..', '..', '..');
const DOCUMENTS = ['', 'docs', 'docs/internals', 'examples', 'examples/templates'].flatMap(
	(folder) =>
		readdirSync(path.join(PROJECT, folder))
			.filter((file) => file.endsWith('.md'))
			.map((file) => path.join(folder, file)),
);
const REFERENCE = 'docs/reference.md';
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

test('the README has the sections that the credential and the nodes panel link to', () => {
	for (const heading of ['### Credentials\n', '### Try it without a key\n']) {
		expect(read('README.md')).toContain(heading);
	}
});

test('numbers in the README, and in the table of limits, are those of the fields', () => {
	const readme = read('README.md').replace(/\s+/g, ' ');
	const rows = tableRows(read(REFERENCE));
	const field = (name: string) => rows.find((row) => row['Internal name'] === `\`${name}\``);
	const numberIn = (text = '') => /\d+/.exec(text)?.[0];
	const defaultOf = (name: string) => numberIn(field(name)?.Default);
	const limitOf = (name: string) => numberIn(field(name)?.Limits);
	const lists = ['imageUrls', 'videoUrls', 'audioUrls'].map(limitOf);
	for (const claim of [
		`Videos are ${/\d+ to \d+/.exec(field('duration')?.Limits ?? '')} seconds long`,
		`up to ${lists[0]} images, ${lists[1]} videos and ${lists[2]} audio files`,
		`For ${defaultOf('options.timeoutMinutes')} minutes unless you change`,
		`${defaultOf('options.maxConcurrentTasks')} at a time`,
		`With more than ${defaultOf('options.maxNewTasks')} items`,
	]) {
		expect(readme).toContain(claim);
	}
	const limits = tableRows(read('docs/limits.md'));
	for (const [what = '', name] of [
		['For a video', 'timeoutMinutes'],
		['Unfinished videos', 'maxConcurrentTasks'],
		['New videos', 'maxNewTasks'],
		['Between two reads', 'pollIntervalSeconds'],
	]) {
		const limit = limits.find(({ What }) => What?.startsWith(what))?.Limit;
		expect([what, numberIn(limit)]).toEqual([what, defaultOf(`options.${name}`)]);
	}
});

test.each([
	[REFERENCE, referenceText],
	['docs/messages.md', messagesText],
])('%s is what `npm run docs` writes', (file, write) => expect(read(file)).toBe(write()));

test('docs/files-and-output.md says what each kind of error means', () => {
	const kinds = tableRows(read('docs/files-and-output.md')).flatMap(({ Kind = [] }) => Kind);
	expect(kinds.sort()).toEqual(ERROR_KINDS.map((kind) => `\`${kind}\``).sort());
});

test('docs/coming-from-elsewhere.md names no field and no operation of the node that it does not have', () => {
	const page = read('docs/coming-from-elsewhere.md');
	const cells = tableRows(page).flatMap(({ Here = '' }) => [Here]);
	const [, images = ''] = page.replace(/\s+/g, ' ').split('## Images');
	const named = [...[...cells, images].join('\n').matchAll(/\*\*(.+?)\*\*/g)];
	expect(named.length).toBeGreaterThan(25);
	expect(named.filter(([, name = '']) => !read(REFERENCE).includes(name))).toEqual([]);
});

test('no document and no note of a recipe names an option that there is not', () => {
	const notes = exampleFiles().flatMap((file) =>
		readExample(file).nodes.map(({ parameters }) => String(parameters.content ?? '')),
	);
	const named = [...DOCUMENTS.map(read), ...notes].flatMap((text) =>
		[...text.matchAll(/\*\*Options → ([^*]+)\*\*/g)].map(([, label = '']) => label),
	);
	expect(named.length).toBeGreaterThan(5);
	const known = referenceText();
	const isUnknown = (label: string) => !known.includes(`→ **${label.replace(/\s+/g, ' ')}**`);
	expect(named.filter(isUnknown)).toEqual([]);
});
