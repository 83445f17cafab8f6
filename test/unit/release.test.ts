import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readmeForNpm } from '../programs/release/readme';
import { decisionsIn, releaseObjections } from '../programs/release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..');
const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');
const DECISIONS = decisionsIn(read(PROJECT, 'RELEASING.md'));

test('all that the owner decides stands where RELEASING.md says, and what is open is refused', () => {
	const objections = releaseObjections(PROJECT).filter((said) => !said.startsWith('CHANGELOG.md'));
	const open = DECISIONS.filter(({ isMade }) => !isMade);
	expect(objections).toEqual(open.map(({ what }) => `RELEASING.md: not decided yet: ${what}`));
});

describe('in a copy that is filled in as RELEASING.md says', () => {
	let folder: string;
	const change = (file: string, from: string | RegExp, to: string) =>
		writeFileSync(path.join(folder, file), read(folder, file).replaceAll(from, to));

	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'videogen-release-'));
		const files = new Set(DECISIONS.flatMap((decision) => decision.files));
		for (const file of [...files, 'RELEASING.md', 'package.json']) {
			cpSync(path.join(PROJECT, file), path.join(folder, file));
		}
		for (const { what, value, files: holders } of DECISIONS) {
			for (const file of [...holders, 'RELEASING.md']) change(file, value, `the owner's ${what}`);
		}
		change('RELEASING.md', '- [ ]', '- [x]');
		change('RELEASING.md', /^- \[x\] Remove this .*\n/gm, '');
		change('package.json', /"version": ".*"/g, '"version": "1.2.3"');
		writeFileSync(path.join(folder, 'CHANGELOG.md'), '## [1.2.3] - 2026-03-01\n');
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	test('a version is ready, with a tag that fits', () => {
		expect(releaseObjections(folder, 'v1.2.3')).toEqual([]);
		expect(releaseObjections(folder, 'v9.9.9')).toEqual([expect.stringContaining('v9.9.9')]);
	});

	test('an open box, a file that was forgotten and a line that cannot be read are found', () => {
		change('RELEASING.md', /\[x\] (Name of the author)/g, '[ ] $1');
		change('LICENSE', /Copyright.*/g, '');
		expect(releaseObjections(folder)).toEqual([
			'RELEASING.md: not decided yet: Name of the author',
			expect.stringMatching(/^LICENSE does not have what RELEASING.md says: Name of the author/),
		]);
		change('RELEASING.md', ' in `package.json`, `LICENSE`', '');
		expect(() => releaseObjections(folder)).toThrow('cannot be read');
	});

	test('the changelog needs the version, with its day', () => {
		change('CHANGELOG.md', '2026-03-01', 'Unreleased');
		expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no date for 1.2.3']);
		change('CHANGELOG.md', '[1.2.3]', '[Unreleased]');
		expect(releaseObjections(folder)).toEqual(['CHANGELOG.md has no section 1.2.3']);
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
