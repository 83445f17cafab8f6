import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { anchors, linkTargets } from '../../support/markdown';

const PROJECT = path.join(__dirname, '..', '..', '..');
const DOCUMENTS = [
	'README.md',
	'CONTRIBUTING.md',
	'RELEASING.md',
	'CHANGELOG.md',
];

const read = (file: string): string => readFileSync(file, 'utf8');

const isInside = (target: string): boolean => !/^[a-z][a-z\d+.-]*:/i.test(target);

/** What is wrong with a link of a document; `undefined` when it leads somewhere. */
function brokenLink(markdown: string, target: string): string | undefined {
	const [file = '', anchor] = target.split('#');
	const pathOf = path.join(PROJECT, decodeURIComponent(file));
	if (file !== '' && !existsSync(pathOf)) return `${target}: there is no such file`;
	if (anchor === undefined) return undefined;
	const linked = file === '' ? markdown : read(pathOf);
	return anchors(linked).includes(anchor) ? undefined : `${target}: there is no such heading`;
}

const brokenLinks = (markdown: string): string[] =>
	linkTargets(markdown)
		.filter(isInside)
		.flatMap((target) => brokenLink(markdown, target) ?? []);

describe.each(DOCUMENTS)('%s', (name) => {
	test('links only to files and headings that exist', () => {
		expect(brokenLinks(read(path.join(PROJECT, name)))).toEqual([]);
	});

	test('names no other address of this repository than package.json', () => {
		const { homepage } = JSON.parse(read(path.join(PROJECT, 'package.json')));
		const [, repository = ''] = /github\.com\/([^/]+\/[^/#]+)/.exec(homepage) ?? [];
		const others = linkTargets(read(path.join(PROJECT, name))).filter(
			(target) =>
				/github\.com\/[^/]+\/n8n-nodes-videogen/.test(target) && !target.includes(repository),
		);
		expect(others).toEqual([]);
	});
});

describe('the check of links', () => {
	test.each([
		['a file that is not there', '[a](docs/none.md)'],
		['a picture that is not there', '![a](docs/images/none.png)'],
		['a heading that is not there', '# Here\n[a](#there)'],
		['a heading of another document that is not there', '[a](README.md#not-there)'],
		['a reference to a file that is not there', '[a]: docs/none.md'],
	])('finds %s', (_what, markdown) => {
		expect(brokenLinks(markdown)).toHaveLength(1);
	});

	test.each([
		[
			'a heading with marks in it',
			'## What `npm test` runs, and why\n[a](#what-npm-test-runs-and-why)',
		],
		['the second heading of a name', '# One\n# One\n[a](#one-1)'],
		['a link in code, which is none', '`[a](none.md)`\n```\n[a](none.md)\n```'],
		['an address elsewhere', '[a](https://example.com/none#none)'],
	])('takes %s', (_what, markdown) => {
		expect(brokenLinks(markdown)).toEqual([]);
	});
});
