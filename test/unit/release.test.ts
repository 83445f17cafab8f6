import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readmeForNpm } from '../programs/release/readme';
import { PLACEHOLDERS, releaseObjections } from '../programs/release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..');

const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

describe('the check before a release', () => {
	let folder: string;

	const change = (file: string, from: string | RegExp, to: string) =>
		writeFileSync(
			path.join(folder, file),
			readFileSync(path.join(folder, file), 'utf8').replaceAll(from, to),
		);

	/** This repository with everything filled in, and version 1.2.3 in the changelog. */
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'videogen-release-'));
		for (const { text, files } of PLACEHOLDERS) {
			for (const file of files) {
				cpSync(path.join(PROJECT, file), path.join(folder, file), { force: false });
				change(file, text, 'filled-in');
			}
		}
		change('package.json', /"version": ".*"/g, '"version": "1.2.3"');
		writeFileSync(path.join(folder, 'CHANGELOG.md'), '## [1.2.3] - 2026-03-01\n');
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	test('has nothing against a version that is ready', () => {
		expect(releaseObjections(folder, 'v1.2.3')).toEqual([]);
	});

	test.each(PLACEHOLDERS.flatMap(({ text, files }) => files.map((file) => [file, text])))(
		'finds in %s the placeholder %s, which RELEASING.md names',
		(file, text) => {
			change(file, /filled-in/g, text);
			expect(releaseObjections(folder)).toContainEqual(
				expect.stringMatching(new RegExp(`^${file} still has a placeholder .*: ${text}$`)),
			);
			const row = read('RELEASING.md')
				.split('\n')
				.find((line) => line.includes(`\`${text}\``));
			expect(row).toContain('**Missing.**');
			expect(row).toContain(`\`${file}\``);
		},
	);

	test('needs the version in the changelog, with its day', () => {
		change('CHANGELOG.md', '2026-03-01', 'Unreleased');
		expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no date for 1.2.3']);
		change('CHANGELOG.md', '[1.2.3]', '[Unreleased]');
		expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no section 1.2.3']);
	});

	test('needs a tag that fits the version', () => {
		expect(releaseObjections(folder, 'v9.9.9')).toEqual([
			'The tag is v9.9.9, but package.json has the version 1.2.3',
		]);
	});
});

test('the README as npm shows it has images that npm finds, of the version that is released', () => {
	const repository = { url: 'git+https://github.com/owner/name.git' };
	const readme = readmeForNpm('![A](docs/images/a.png) [B](docs/b.md)', {
		version: '1.2.3',
		repository,
	});
	expect(readme).toBe(
		'![A](https://raw.githubusercontent.com/owner/name/v1.2.3/docs/images/a.png) [B](docs/b.md)',
	);
});
