import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { downloadMessage } from '../../nodes/Videogen/files/downloadWords';
import { serviceErrorMessage } from '../../nodes/Videogen/service/answerWords';
import { referenceText } from '../programs/docs/reference';
import { knownLabels, savedLabels } from '../programs/pictures/labels';
import { recipesPage } from '../programs/pictures/recipesPage';
import { SCENES } from '../programs/pictures/scenes';
import { anchors, linkTargets, tableRows } from '../programs/support/markdown';

const PROJECT = path.join(__dirname, '..', '..');
const DOCUMENTS = [
	...['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'CHANGELOG.md'],
	...readdirSync(path.join(PROJECT, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];
const REFERENCE = 'docs/reference.md';
const MAX_README_LINES = 200;

const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

/** Links to files and headings that do not exist. */
const brokenLinks = (document: string): string[] =>
	linkTargets(read(document))
		.filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target))
		.filter((target) => {
			const [file = '', anchor] = target.split('#');
			const linked = file === '' ? document : decodeURIComponent(file);
			const from = file === '' ? linked : path.join(path.dirname(document), linked);
			if (!existsSync(path.join(PROJECT, from))) return true;
			return anchor !== undefined && !anchors(read(from)).includes(anchor);
		});

describe.each(DOCUMENTS)('%s', (document) => {
	test('links only to files and headings that exist', () => {
		expect(brokenLinks(document)).toEqual([]);
	});
});

test('the README is short, and says where a credential and a try without a key are', () => {
	const readme = read('README.md');
	expect(readme.split('\n').length - 1).toBeLessThanOrEqual(MAX_README_LINES);
	// The credential and the nodes panel link to these.
	expect(anchors(readme)).toEqual(expect.arrayContaining(['credentials', 'try-it-without-a-key']));
});

test("the README's numbers are those of the fields", () => {
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
		`for ${defaultOf('options.timeoutMinutes')} minutes unless you change`,
		`${defaultOf('options.maxConcurrentTasks')} at a time`,
		`at most ${defaultOf('options.maxNewTasks')} videos in one execution`,
	]) {
		expect(readme).toContain(claim);
	}
});

test('docs/reference.md is what `npm run docs` writes', () =>
	expect(read(REFERENCE)).toBe(referenceText()));

test('docs/recipes.md is what `npm run pictures` writes', () =>
	expect(read('docs/recipes.md')).toBe(recipesPage()));

test('docs/coming-from-elsewhere.md names no field and no operation of the node that it does not have', () => {
	const cells = tableRows(read('docs/coming-from-elsewhere.md')).flatMap((row) =>
		Object.entries(row).flatMap(([column, cell]) => (column === 'There' ? [] : [cell])),
	);
	const named = [...cells.join('\n').matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
	expect(named.length).toBeGreaterThan(30);
	expect(named.filter((name) => !read(REFERENCE).includes(name))).toEqual([]);
});

describe('docs/troubleshooting.md', () => {
	const folder = path.join(PROJECT, 'nodes', 'Videogen');
	const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(path.join(folder, file), 'utf8'))
		.join('\n');
	/** What a message always has: all but `…`, the field before a colon, the status in brackets. */
	const fixedParts = (message: string): string[] =>
		message
			.split(/…|: |\((?:\d{3})?/)
			.map((part) => part.trim())
			.filter((part) => /\w/.test(part));
	const messages = tableRows(read('docs/troubleshooting.md')).flatMap((row) =>
		[...(row.Message ?? '').matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
	);

	test('quotes only messages that the node has', () => {
		expect(messages.length).toBeGreaterThan(30);
		const unknown = messages.flatMap(fixedParts).filter((part) => !source.includes(part));
		expect(unknown).toEqual([]);
	});

	test.each(messages.filter((message) => /\(\d{3}\)/.test(message)))(
		'gives %s the status that the node gives it',
		(message) => {
			const status = Number(/\((\d{3})\)/.exec(message)?.[1]);
			const error = { kind: 'status', status, isJson: true } as const;
			const ofModel = { ...error, serviceMessage: 'No such model' };
			const task = { id: '1', status: 'completed', state: 'completed', record: {} } as const;
			const said = [
				serviceErrorMessage(error, 'create'),
				serviceErrorMessage(ofModel, 'create'),
				serviceErrorMessage(error, 'read'),
				downloadMessage(task, { kind: 'notDownloaded', error }, true),
			].map((one) => one.message.replace(/^.*: /, ''));
			expect(said.some((text) => message.endsWith(text))).toBe(true);
		},
	);
});

describe('the pictures in docs/images', () => {
	const files = readdirSync(path.join(PROJECT, 'docs/images'), {
		recursive: true,
		encoding: 'utf8',
	})
		.filter((file) => /\.(png|gif)$/.test(file))
		.sort();

	test('are those that `npm run pictures` takes, and that a page shows', () => {
		const shown = DOCUMENTS.flatMap((document) =>
			linkTargets(read(document))
				.filter((target) => /\.(png|gif|svg)$/.test(target) && !target.includes(':'))
				.map((target) => path.join(path.dirname(document), target)),
		);
		expect(files.map((file) => `docs/images/${file}`)).toEqual([...new Set(shown)].sort());
		expect(Object.keys(savedLabels()).sort()).toEqual(files);
		const names = files.map((file) => file.replace(/\.\w+$/, ''));
		expect(names).toEqual(Object.keys(SCENES).sort());
	});

	test.each(Object.entries(savedLabels()))('%s shows only labels that there are', (_, labels) => {
		const known = knownLabels();
		expect(labels.filter((label) => !known.has(label))).toEqual([]);
	});
});
