import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const WORKFLOWS = path.join(__dirname, '..', '..', '.github', 'workflows');

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
