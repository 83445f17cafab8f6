import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { operations } from '../../nodes/Videogen/operations';
import { anchors, linkTargets, tableRows } from '../support/markdown';

const PROJECT = path.join(__dirname, '..', '..');
const DOCUMENTS = [
	...['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'CHANGELOG.md'],
	...['docs/callbacks.md', 'docs/restarts-and-queue-mode.md'],
];

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

	test('names no other address of this repository than package.json', () => {
		const address = /github\.com\/[\w.-]+\/n8n-nodes-videogen/g;
		const [own] = read('package.json').match(address) ?? [];
		expect((read(document).match(address) ?? []).filter((other) => other !== own)).toEqual([]);
	});
});

describe("the README's tables of fields", () => {
	/** Names of fields, with those of the entries of a collection behind a dot and by themselves. */
	const namesIn = (fields: INodeProperties[]): string[] =>
		fields.flatMap(({ name, options = [] }) => [
			name,
			...options.flatMap((entry) => ('type' in entry ? [entry.name, `${name}.${entry.name}`] : [])),
		]);

	test('name only fields that exist', () => {
		const existing = namesIn(operations.flatMap(({ fields }) => fields));
		const named = tableRows(read('README.md')).flatMap(
			(row) => /`(.+?)`/.exec(row['Internal name'] ?? '')?.[1] ?? [],
		);
		expect(named.length).toBeGreaterThan(15);
		expect(named.filter((name) => !existing.includes(name))).toEqual([]);
	});
});
