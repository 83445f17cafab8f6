import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { lookUpWithNpm } from '../release/packageName';
import { PLACEHOLDERS, releaseObjections, releaseReport } from '../release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..');

const portSchema = z.object({ port: z.number() });

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

	describe('asks the registry in use whose the name is, and', () => {
		const NAME = 'n8n-nodes-videogen-tasks';

		/** The report with a registry that answers so. */
		const reportWith = async (answer: RequestListener) => {
			const registry = createServer(answer).listen(0, '127.0.0.1');
			await once(registry, 'listening');
			const { port } = portSchema.parse(registry.address());
			const lookUp = lookUpWithNpm({
				...process.env,
				npm_config_registry: `http://127.0.0.1:${port}/`,
				npm_config_cache: path.join(folder, 'cache'),
				npm_config_fetch_retries: '0',
			});
			try {
				return await releaseReport(folder, lookUp);
			} finally {
				registry.closeAllConnections();
				registry.close();
			}
		};
		/** A registry in which the name belongs to a package with this repository. */
		const published =
			(url: string): RequestListener =>
			(_request, response) => {
				const version = { name: NAME, version: '2.1.0', repository: { type: 'git', url } };
				const tags = { 'dist-tags': { latest: '2.1.0' }, versions: { '2.1.0': version } };
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ ...version, ...tags }));
			};

		test('is content when the name is free', async () => {
			const report = await reportWith((_request, response) => response.writeHead(404).end('{}'));
			expect(report).toEqual({
				isReady: true,
				lines: [
					`The name ${NAME} is free, as far as the registry in use knows`,
					'Ready for release',
				],
			});
		});

		test('refuses a name that is taken', async () => {
			expect(await reportWith(published('git+https://github.com/other/other.git'))).toEqual({
				isReady: false,
				lines: [
					`The name ${NAME} is taken: its repository is git+https://github.com/other/other.git`,
				],
			});
		});

		test.each(['git+https://filled-in.git', 'https://filled-in'])(
			'is content when the name has the repository %s, which is ours',
			async (url) => {
				expect(await reportWith(published(url))).toEqual({
					isReady: true,
					lines: [`The name ${NAME} is this project's already`, 'Ready for release'],
				});
			},
		);

		test('says that it could not look when there is no registry', async () => {
			const report = await reportWith((request) => request.socket.destroy());
			expect(report.isReady).toBe(true);
			expect(report.lines[0]).toMatch(
				new RegExp(`^Could not look whether the name ${NAME} is free: \\S`),
			);
		});
	});
});
