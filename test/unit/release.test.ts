import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readmeForNpm } from '../programs/release/readme';
import { PLACEHOLDERS, releaseObjections } from '../programs/release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..');
const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');

test.each(PLACEHOLDERS.flatMap(({ text, files }) => files.map((file) => [file, text] as const)))(
	'before a release, %s has the placeholder %s, which RELEASING.md names',
	(file, text) => {
		expect(releaseObjections(PROJECT)).toContainEqual(
			expect.stringMatching(new RegExp(`^${file} still has a placeholder .*: ${text}$`)),
		);
		const rows = read(PROJECT, 'RELEASING.md').split('\n');
		const row = rows.find((line) => line.includes(`\`${text}\``));
		expect(row).toContain('**Missing.**');
		expect(row).toContain(`\`${file}\``);
	},
);

test('a version is ready when all is filled in, with its day in the changelog and a tag that fits', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'videogen-release-'));
	const change = (file: string, from: string | RegExp, to: string) =>
		writeFileSync(path.join(folder, file), read(folder, file).replaceAll(from, to));
	for (const { text, files } of PLACEHOLDERS) {
		for (const file of files) {
			cpSync(path.join(PROJECT, file), path.join(folder, file), { force: false });
			change(file, text, 'filled-in');
		}
	}
	change('package.json', /"version": ".*"/g, '"version": "1.2.3"');
	writeFileSync(path.join(folder, 'CHANGELOG.md'), '## [1.2.3] - 2026-03-01\n');
	expect(releaseObjections(folder, 'v1.2.3')).toEqual([]);
	expect(releaseObjections(folder, 'v9.9.9')).toEqual([expect.stringContaining('v9.9.9')]);
	change('CHANGELOG.md', '2026-03-01', 'Unreleased');
	expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no date for 1.2.3']);
	change('CHANGELOG.md', '[1.2.3]', '[Unreleased]');
	expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no section 1.2.3']);
	rmSync(folder, { recursive: true });
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
