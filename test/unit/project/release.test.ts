/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readmeForNpm } from '../../../tools/release/readme';
import { releaseObjections } from '../../../tools/release/releaseCheck';

describe('what keeps a version from being released', () => {
	let folder: string;
	const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
	const decide = (line: string) => write('RELEASING.md', `## What the owner decides\n\n${line}\n`);
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'videogen-release-'));
		write('package.json', '{"version": "1.2.3"}');
		write('LICENSE', 'Copyright Ada');
		write('CHANGELOG.md', '## [1.2.3] - 2026-03-01\n');
		decide('- [x] Name of the author: `Ada` in `LICENSE`');
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	test('is nothing where all is decided, and the tag fits', () => {
		expect(releaseObjections(folder, 'v1.2.3')).toEqual([]);
		expect(releaseObjections(folder, 'v9.9.9')).toEqual([expect.stringContaining('v9.9.9')]);
	});

	test('is an open box, a file without the value, and a line that cannot be read', () => {
		decide('- [ ] Name of the author: `Eve` in `LICENSE`');
		expect(releaseObjections(folder)).toEqual([
			expect.stringContaining('not decided yet: Name of the author'),
			expect.stringMatching(/^LICENSE does not have what RELEASING.md says/),
		]);
		decide('- [x] Name of the author: `Ada`');
		expect(() => releaseObjections(folder)).toThrow('cannot be read');
	});

	test('is a changelog without the day of the version', () => {
		write('CHANGELOG.md', '## [1.2.3] - Unreleased\n');
		expect(releaseObjections(folder)).toEqual([expect.stringMatching(/^CHANGELOG.md has no /)]);
	});
});

test('the README as npm shows it has images that npm finds, of the version that is released', () => {
	const repository = { url: 'git+https://github.com/owner/name.git' };
	const manifest = { version: '1.2.3', repository };
	const readme = readmeForNpm('![A](docs/images/a.png) [B](b.md)', manifest);
	const image = 'https://raw.githubusercontent.com/owner/name/v1.2.3/docs/images/a.png';
	expect(readme).toBe(`![A](${image}) [B](b.md)`);
});
