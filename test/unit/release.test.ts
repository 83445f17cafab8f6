import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PLACEHOLDERS, releaseObjections } from '../release/releaseCheck';

const PROJECT = path.join(__dirname, '..', '..');
const WORKFLOWS = path.join(PROJECT, '.github', 'workflows');

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

const permissionsSchema = z.record(z.string());
const workflowSchema = z.object({
	on: z.record(z.unknown()),
	permissions: permissionsSchema,
	jobs: z.record(
		z.object({
			permissions: permissionsSchema.default({}),
			needs: z.string().optional(),
			'timeout-minutes': z.number(),
			steps: z.array(
				z.object({
					uses: z.string().optional(),
					run: z.string().optional(),
					with: z.record(z.unknown()).optional(),
				}),
			),
		}),
	),
});

const textOf = (name: string): string => readFileSync(path.join(WORKFLOWS, name), 'utf8');
const workflowOf = (name: string) => workflowSchema.parse(parse(textOf(name)));

describe.each(readdirSync(WORKFLOWS))('the workflow %s', (name) => {
	const { permissions, jobs } = workflowOf(name);
	const steps = Object.values(jobs).flatMap((job) => job.steps);

	test('uses actions at a commit only, with the version beside it', () => {
		const pinned = /^\s*- uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
		const uses = textOf(name)
			.split('\n')
			.filter((line) => /\buses:/.test(line));
		expect(uses).not.toHaveLength(0);
		expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
	});

	test('may do no more than it has to', () => {
		const rights = Object.entries(jobs).map(([job, own]) => [job, own.permissions]);
		const publish = { publish: { contents: 'read', 'id-token': 'write' } };
		expect(permissions).toEqual({ contents: 'read' });
		expect(Object.fromEntries(rights)).toEqual({
			check: {},
			...(name === 'publish.yml' && publish),
		});
	});

	test('leaves no credentials behind a checkout', () => {
		const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts).not.toHaveLength(0);
		for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
	});

	test('puts nothing that others write into a command', () => {
		expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
	});
});

test('only a tag of a version is published, after all checks and with provenance', () => {
	const { on, jobs } = workflowOf('publish.yml');
	expect(on).toEqual({ push: { tags: ['v*'] } });
	const commands = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []);
	expect(commands('check')).toEqual(['npm ci', 'npm run release:check', '.ci/run']);
	expect(jobs.publish?.needs).toBe('check');
	expect(commands('publish')?.at(-1)).toBe('npm publish --provenance --access public');
});
