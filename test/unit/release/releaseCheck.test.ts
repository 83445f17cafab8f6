import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeIn, section, tableRows } from '../../support/markdown';
import { PLACEHOLDERS, releaseObjections } from '../../release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..', '..');
const NOT_SEARCHED = ['node_modules', 'dist', 'test', 'docs', 'coverage', 'package-lock.json'];

const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

/** Every file of the repository that a user or a registry sees. */
function filesIn(folder = ''): string[] {
	return readdirSync(path.join(PROJECT, folder), { withFileTypes: true })
		.filter(({ name }) => !name.startsWith('.') && !NOT_SEARCHED.includes(name))
		.flatMap((entry) => {
			const file = path.posix.join(folder, entry.name);
			return entry.isDirectory() ? filesIn(file) : [file];
		});
}

const releasing = tableRows(section(read('RELEASING.md'), 'Before the first release'));

describe('the placeholders', () => {
	test('stand in no file besides those named', () => {
		const others = PLACEHOLDERS.flatMap(({ text, files }) =>
			filesIn().filter(
				(file) => file !== 'RELEASING.md' && !files.includes(file) && read(file).includes(text),
			),
		);
		expect(others).toEqual([]);
	});

	test('are named in RELEASING.md with every place', () => {
		const told = releasing.map((row) => ({
			text: codeIn(row['Stands there now'] ?? '')[0],
			files: codeIn(row.Files ?? ''),
		}));
		expect(told).toEqual(PLACEHOLDERS.map(({ text, files }) => ({ text, files })));
	});
});

describe('the address of the repository', () => {
	const places = [
		'package.json',
		'credentials/VideogenApi.credentials.ts',
		'nodes/Videogen/Videogen.node.json',
	];

	test('is the same everywhere', () => {
		const repositories = places.flatMap((file) =>
			[...read(file).matchAll(/github\.com\/([\w.-]+\/[\w.-]+?)(?=\.git\b|[/#"'])/g)].map(
				([, repository]) => repository,
			),
		);
		expect(new Set(repositories).size).toBe(1);
		expect(repositories.length).toBeGreaterThanOrEqual(6);
	});
});

describe('the check before a release', () => {
	const VERSION = '1.2.3';
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'videogen-release-'));
		for (const { files } of PLACEHOLDERS) for (const file of files) put(file, '');
		put('package.json', '');
		put('CHANGELOG.md', `## [${VERSION}] - 2026-03-01\n`);
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** A file of a repository that is ready, with something in it. */
	function put(file: string, text: string): void {
		mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		const manifest = JSON.stringify({ version: VERSION, note: text });
		writeFileSync(path.join(folder, file), file === 'package.json' ? manifest : text);
	}

	test('has nothing against a version that is ready', () => {
		expect(releaseObjections(folder)).toEqual([]);
		expect(releaseObjections(folder, `v${VERSION}`)).toEqual([]);
	});

	test('finds every placeholder in every file', () => {
		for (const { text, files } of PLACEHOLDERS) {
			for (const file of files) {
				put(file, text);
				expect(releaseObjections(folder)).toEqual([
					expect.stringMatching(new RegExp(`^${file} still has a placeholder .*: ${text}$`)),
				]);
				put(file, '');
			}
		}
	});

	test('needs the version in the changelog, with its day', () => {
		put('CHANGELOG.md', '## [Unreleased]\n');
		expect(releaseObjections(folder)).toEqual([`CHANGELOG.md has no section ${VERSION}`]);
		put('CHANGELOG.md', `## [${VERSION}] - Unreleased\n`);
		expect(releaseObjections(folder)).toEqual([`CHANGELOG.md has no date for ${VERSION}`]);
	});

	test('needs a tag that fits the version', () => {
		expect(releaseObjections(folder, 'v9.9.9')).toEqual([
			`The tag is v9.9.9, but package.json has the version ${VERSION}`,
		]);
	});
});
