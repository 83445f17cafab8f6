import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = path.join(__dirname, '..', '..', '..', '.github', 'workflows');
const NAMES = readdirSync(FOLDER);

const permissionsSchema = z.record(z.string());
const stepSchema = z.object({
	uses: z.string().optional(),
	run: z.string().optional(),
	with: z.record(z.unknown()).optional(),
});
const workflowSchema = z.object({
	on: z.record(z.unknown()),
	permissions: permissionsSchema.optional(),
	jobs: z.record(
		z.object({
			permissions: permissionsSchema.optional(),
			needs: z.string().optional(),
			'timeout-minutes': z.number().optional(),
			steps: z.array(stepSchema),
		}),
	),
});
type Workflow = z.infer<typeof workflowSchema>;

const textOf = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const workflowOf = (text: string): Workflow => workflowSchema.parse(parse(text));

const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
/** What the owner of the repository has not written must not come in between two versions. */
const unpinned = (text: string): string[] =>
	text.split('\n').filter((line) => /\buses:/.test(line) && !PINNED.test(line));

/** Rights beyond reading the repository, and the jobs that have them; `all` when nothing is said. */
function rightsIn({ permissions = { all: 'write' }, jobs }: Workflow): string[] {
	const granted = [['', permissions] as const, ...Object.entries(jobs).map(jobRights)];
	return granted.flatMap(([job, rights]) =>
		Object.entries(rights)
			.filter(([right, kind]) => kind !== 'none' && !(right === 'contents' && kind === 'read'))
			.map(([right, kind]) => `${job} ${right}: ${kind}`.trim()),
	);
}

const jobRights = ([name, { permissions = {} }]: [string, Workflow['jobs'][string]]) =>
	[name, permissions] as const;

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

describe.each(NAMES)('the workflow %s', (name) => {
	const workflow = workflowOf(textOf(name));

	test('uses actions at a commit only, with its version beside it', () => {
		expect(stepsOf(workflow).some(({ uses }) => uses !== undefined)).toBe(true);
		expect(unpinned(textOf(name))).toEqual([]);
	});

	test('may do no more than it has to', () => {
		expect(rightsIn(workflow)).toEqual(name === 'publish.yml' ? ['publish id-token: write'] : []);
	});

	test('leaves no credentials behind a checkout, and ends', () => {
		const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
		for (const job of Object.values(workflow.jobs))
			expect(job['timeout-minutes']).toBeGreaterThan(0);
	});

	test('puts nothing that others write into a command', () => {
		const commands = stepsOf(workflow).flatMap(({ run }) => run ?? []);
		expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
	});
});

describe('publishing', () => {
	const workflow = workflowOf(textOf('publish.yml'));

	test('is for tags of versions alone', () => {
		expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
	});

	test('comes after all checks, with provenance', () => {
		const { check, publish } = workflow.jobs;
		const commandsOf = (job = check) => job?.steps.flatMap(({ run }) => run ?? []);
		expect(commandsOf(check)).toEqual(['npm ci', 'npm run release:check', '.ci/run']);
		expect(publish?.needs).toBe('check');
		// Not needed once npm trusts the workflow itself.
		const isForToken = (command: string) => command.startsWith('npm config set');
		expect(commandsOf(publish)?.filter((command) => !isForToken(command))).toEqual([
			'npm ci',
			'npm run release:check',
			'npm run build',
			'npm publish --provenance --access public',
		]);
	});
});

describe('these checks', () => {
	test.each([
		'      - uses: actions/checkout@v4',
		'      - uses: actions/checkout@08eba0b27e82 # v4.3.0',
		'      - uses: actions/checkout@08eba0b27e820071cde6df949e0beb9ba4906955',
		'        uses: actions/checkout@main # v4.3.0',
	])('find the action that is not pinned in "%s"', (line) => {
		expect(unpinned(line)).toEqual([line]);
	});

	test('find rights that are not needed, and those that nobody limited', () => {
		const job = 'jobs:\n  a:\n    steps: []\n';
		expect(rightsIn(workflowOf(`on: {push: {}}\n${job}`))).toEqual(['all: write']);
		expect(rightsIn(workflowOf(`on: {push: {}}\npermissions: {contents: write}\n${job}`))).toEqual([
			'contents: write',
		]);
	});
});
