import type { INode } from 'n8n-workflow';
import type { Fault, Rule } from '../programs/simulator';
import { FaultScene, isErrorItem } from '../programs/support/faultScene';
import type { RunResult } from '../programs/support/engine';
import { CONTINUE, ERROR_OUTPUT, status, tries } from './useEngine';

/** Every fault at every call under every way of running; see `FaultScene` for what must hold. */

let scene: FaultScene;
/** How many reads an undisturbed run takes for the item at each position. */
const reads: number[] = [];

const PROMPTS = ['one', 'two'];
const POSITIONS = PROMPTS.map((_, index) => index);
const WAITING = {
	waitForCompletion: true,
	options: { pollIntervalSeconds: 20, timeoutMinutes: 1.5 },
};
const RESTING = { waitForCompletion: true, options: { waitMethod: 'callback' } };
const STOP: Partial<INode> = {};

beforeAll(async () => {
	scene = await FaultScene.start(undefined, RATE_LIMITS);
	const prompts = ['first', 'second'];
	await scene.execute({ prompts, settings: STOP, more: WAITING });
	for (const prompt of prompts) {
		reads.push(scene.simulator.reads().filter((request) => request.prompt === prompt).length);
	}
});
beforeEach(async () => await scene.reset());
afterAll(async () => await scene.close());

const json = (body: object): Fault => ({ kind: 'json', body });

/** How a fault is played where there is a task to tell of, and where there is none. */
interface FaultCase {
	name: string;
	fault: Fault;
	/** For creates that make no task, where the fault is not the same for both. */
	withoutTask?: Fault;
	/** To a create it is a clear no, in whatever words: no task was made. */
	saysNo?: true;
	/** To a create it is a no that asks to wait: the node itself sends it again. */
	asksToWait?: true;
	/** To a read it says that no other answer will come. */
	endsReads?: true;
}

const MADE_UP_ID = 'task_00000000000000000000none';
const PROXY_WORDS = 'upstream connect error or disconnect/reset before headers';

const redirect = (code: number): Fault => ({
	kind: 'redirect',
	status: code,
	location: '/elsewhere',
});

/**
 * Which answers are a no stands here by hand, after the contract (service-spec.md, section 7), the
 * register of HTTP statuses and the words of proxies, and not after what the node makes of them.
 *
 * Left out on purpose: a clear no, such as 400, with a task made all the same. It contradicts the
 * contract, and nobody could tell it from an honest 400, so no rule of the node could be right.
 */
const FAULTS: FaultCase[] = [
	{ name: '429', fault: status(429), saysNo: true, asksToWait: true },
	...[400, 401, 404, 422].map((code) => ({
		name: `${code}`,
		fault: status(code),
		saysNo: true as const,
		endsReads: code === 404 ? undefined : (true as const),
	})),
	...[301, 302, 307, 308].map((code) => ({
		name: `${code}`,
		fault: redirect(code),
		saysNo: true as const,
		endsReads: true as const,
	})),
	{ name: '501', fault: status(501), saysNo: true },
	{ name: '503 in JSON', fault: status(503), saysNo: true },
	{ name: '521', fault: status(521, 'Web server is down'), saysNo: true },
	{ name: '523', fault: status(523, 'Origin is unreachable'), saysNo: true },
	// From here on a task may have been made.
	{ name: '303', fault: redirect(303), endsReads: true },
	{ name: '408', fault: status(408) },
	{ name: '425', fault: status(425) },
	{ name: '460', fault: status(460, 'client closed connection'), endsReads: true },
	{ name: '499', fault: status(499, 'client closed request'), endsReads: true },
	...[500, 502, 504].map((code) => ({ name: `${code}`, fault: status(code) })),
	{ name: '500 in plain text', fault: status(500, 'Internal Server Error') },
	{ name: '503 in plain text', fault: status(503, PROXY_WORDS) },
	...[520, 522, 524, 530, 598, 599].map((code) => ({
		name: `${code}`,
		fault: status(code, 'timeout'),
	})),
	{
		name: '500 with a record',
		fault: { kind: 'misplaced', status: 500 },
		withoutTask: { kind: 'json', status: 500, body: { id: MADE_UP_ID, status: 'pending' } },
	},
	{
		name: '409 for its order key',
		fault: status(409, { error: { code: 'paid_outcome_unknown' } }),
		endsReads: true,
	},
	{ name: 'reset', fault: { kind: 'reset' } },
	{ name: 'a read that is refused', fault: { kind: 'reset', code: 'ECONNREFUSED' } },
	{ name: 'hang', fault: { kind: 'hang' } },
	{ name: 'empty', fault: { kind: 'empty' } },
	{ name: 'HTML', fault: { kind: 'html' } },
	{ name: 'wrong JSON', fault: json({ data: [] }) },
	{
		name: 'unknown status',
		fault: { kind: 'unknownStatus', status: 'queued' },
		withoutTask: json({ id: MADE_UP_ID, status: 'queued' }),
	},
	{
		name: 'missing id',
		fault: { kind: 'merge', fields: { id: undefined } },
		withoutTask: json({ status: 'pending', progress: 0 }),
	},
];

const RATE_LIMITS = FAULTS.flatMap(({ fault, asksToWait }) =>
	asksToWait && fault.kind === 'status' ? [fault.status] : [],
);

interface Call {
	call: string;
	isRead: boolean;
	/** Whether the first task of the item fails, so that a retry makes another. */
	firstFails?: true;
	/** Which calls of the item pass before the fault, of as many as there are. */
	rule: (reads: number) => Omit<Rule, 'fault'>;
}

const CALLS: Call[] = [
	{ call: 'create, no task made', isRead: false, rule: () => ({ on: 'create' }) },
	{ call: 'create, task made', isRead: false, rule: () => ({ on: 'create', createTask: true }) },
	{ call: 'first poll', isRead: true, rule: () => ({ on: 'task' }) },
	{ call: 'later poll', isRead: true, rule: () => ({ on: 'task', skip: 1 }) },
	{ call: 'last poll', isRead: true, rule: (all) => ({ on: 'task', skip: all - 1 }) },
];
const CREATE_CALLS = CALLS.filter(({ isRead }) => !isRead);

const CALLS_AFTER_FAILURE: Call[] = CREATE_CALLS.map(({ call, isRead, rule }) => ({
	call: `${call}, after a task that failed`,
	isRead,
	firstFails: true,
	rule: (all) => ({ ...rule(all), skip: 1 }),
}));

/** Far more than any backoff gets to in the time of one try. */
const MANY = 40;

const LENGTHS = [
	{ length: 'once', times: 1 },
	{ length: 'for long', times: MANY },
];

interface Way {
	way: string;
	settings: Partial<INode>;
	/** How it waits. */
	more?: typeof WAITING | typeof RESTING;
	/** How often a person presses Retry execution while it ends in an error, or clicks in any case. */
	retries?: number;
	isClick?: boolean;
	changesByItself?: boolean;
}

const RETRYING_WAYS: Way[] = [
	{ way: 'Retry On Fail', settings: tries(3) },
	{ way: 'Retry execution', settings: STOP, retries: 2 },
	{
		way: 'Retry execution, with an expression that changes by itself',
		settings: STOP,
		retries: 2,
		changesByItself: true,
	},
];

const WAYS: Way[] = [
	{ way: 'stop', settings: STOP },
	{ way: 'continue', settings: CONTINUE },
	{ way: 'error output', settings: ERROR_OUTPUT },
	{ way: 'continue and Retry On Fail', settings: { ...tries(2), ...CONTINUE } },
	{ way: 'error output and Retry On Fail', settings: { ...tries(2), ...ERROR_OUTPUT } },
	...RETRYING_WAYS,
	{ way: 'clicks in the editor', settings: STOP, retries: 2, isClick: true },
];

/** Until the node rests, or has nothing to rest for; what follows takes a server. */
const RESTS: Way[] = [
	{ way: 'rest', settings: CONTINUE, more: RESTING },
	{ way: 'rest and Retry On Fail', settings: { ...tries(2), ...CONTINUE }, more: RESTING },
];
const CALLS_BEFORE_REST = CALLS.filter(({ call }) => !call.startsWith('l'));

const STOPS: Way[] = [1, 2].map((nth) => ({ way: `stopped at create ${nth}`, settings: STOP }));

interface Cell extends FaultCase {
	/** Unlike that of any other cell. */
	name: string;
	call: Call;
	rule: Rule;
}

function cellsOf(call: Call, { way }: Way): Cell[] {
	const cells: Cell[] = [];
	for (const faultCase of FAULTS) {
		const { fault, withoutTask = fault, saysNo } = faultCase;
		for (const { length, times } of LENGTHS) {
			for (const position of POSITIONS) {
				const where = call.rule(reads[position] ?? 0);
				if (saysNo && where.createTask) continue;
				const hasTask = call.isRead || where.createTask;
				cells.push({
					...faultCase,
					name: `${way}, ${call.call}: ${faultCase.name} ${length}, item ${position}`,
					call,
					rule: {
						...where,
						prompt: PROMPTS[position],
						times,
						fault: hasTask ? fault : withoutTask,
					},
				});
			}
		}
	}
	return cells;
}

/** The names of the cells that were played to their end. */
const played = new Set<string>();
let violationCount = 0;

async function prepare({ rule, call }: Cell): Promise<void> {
	await scene.reset();
	scene.script(rule);
	if (call.firstFails) scene.plan({ prompt: rule.prompt, outcome: 'failed' });
}

function reported(cell: Cell, violations: string[]): string[] {
	played.add(cell.name);
	violationCount += violations.length;
	return violations.map((text) => `${cell.name}: ${text}\n${scene.describe()}`);
}

async function violationsOf(cell: Cell, way: Way): Promise<string[]> {
	await prepare(cell);
	const { settings, changesByItself, retries = 0, isClick, more = WAITING } = way;
	const execution = {
		prompts: PROMPTS,
		settings,
		changesByItself,
		isClick,
		more,
		wantsCompleted: true,
	};
	let result = await scene.execute(execution);
	for (let retry = 0; retry < retries && (isClick || result.status === 'error'); retry += 1) {
		result = await scene.execute(execution);
	}
	return reported(cell, [...scene.violations(), ...unexpected(cell, way, result)]);
}

/** What a cell has to show besides what must hold anywhere. */
function unexpected({ rule, call, ...cell }: Cell, way: Way, result: RunResult): string[] {
	const { requests } = scene.simulator;
	// One that rests goes on when the service calls back, whatever its reads ran into.
	const isCompleted =
		result.status === 'waiting' ||
		(result.status === 'success' &&
			result.output.length === PROMPTS.length &&
			!result.output.some(isErrorItem));
	const creates = scene.simulator.creates().filter(({ prompt }) => prompt === rule.prompt);
	// The click after a refusal asks again; so does every one where the service knows no such task.
	const isMadeUp = JSON.stringify(rule.fault).includes(MADE_UP_ID);
	const asked = way.isClick ? (isMadeUp ? 3 : 2) : call.firstFails ? 2 : 1;
	const wrong: string[] = [];
	if (!requests.some(({ fault }) => fault === rule.fault.kind)) {
		wrong.push('the fault was not played');
	}
	if (call.isRead && rule.times === 1 && !cell.endsReads && !isCompleted) {
		wrong.push('a read was not tried again');
	}
	if (!call.isRead && cell.asksToWait && rule.times === 1 && !isCompleted) {
		wrong.push('a create was not sent again after an answer that asks to wait');
	}
	if (!call.isRead && !cell.saysNo && creates.length > asked) {
		wrong.push('a create was sent again unasked after an answer that is no no');
	}
	if (!call.isRead && cell.saysNo && rule.times === 1 && isRetried(way) && !isCompleted) {
		wrong.push('a create was not sent again by a retry after a clear no');
	}
	if (way.isClick && rule.times === 1 && !isCompleted)
		wrong.push('the last click did not bring all');
	return wrong;
}

const isRetried = (way: Way): boolean => RETRYING_WAYS.includes(way);

async function violationsWhenStopped(cell: Cell, way: Way): Promise<string[]> {
	await prepare(cell);
	const stopAtCreate = 1 + STOPS.indexOf(way);
	const execution = { prompts: PROMPTS, settings: STOP, more: WAITING, stopAtCreate };
	const { status: end } = await scene.execute(execution);
	const notStopped = end === 'canceled' ? [] : [`it was not stopped but is in status ${end}`];
	const click = { ...execution, stopAtCreate: undefined, isClick: true };
	for (let nth = 0; nth < 2; nth += 1) await scene.execute(click);
	return reported(cell, [...scene.violations(), ...notStopped]);
}

test('an undisturbed task is read often enough for a first, a later and a last poll', () => {
	expect(Math.min(...reads)).toBeGreaterThanOrEqual(3);
});

/** A test of each of these calls, with every fault. */
const playAll = (calls: Call[], way: Way, play = violationsOf) =>
	test.each(calls)('$call', async (call) => {
		const violations: string[] = [];
		for (const cell of cellsOf(call, way)) violations.push(...(await play(cell, way)));
		expect(violations).toEqual([]);
	});

describe.each(WAYS)('$way', (way) => {
	playAll(isRetried(way) ? [...CALLS, ...CALLS_AFTER_FAILURE] : CALLS, way);
});

describe.each(RESTS)('$way', (way) => {
	test('rests when nothing goes wrong', async () => {
		const { status: end } = await scene.execute({ prompts: PROMPTS, ...way, more: RESTING });
		expect(end).toBe('waiting');
	});

	playAll(CALLS_BEFORE_REST, way);
});

describe.each(STOPS)('$way', (way) => {
	playAll(CREATE_CALLS, way, violationsWhenStopped);
});

describe.each([...WAYS, ...RESTS])('$way', ({ settings, more = WAITING }) => {
	test.each([{ durationMs: 0 }, { immediate: true }])(
		'a task that fails at once has no other one in the same try: %j',
		async (plan) => {
			scene.plan({ prompt: 'one', outcome: 'failed', times: MANY, ...plan });
			await scene.execute({ prompts: PROMPTS, settings, more });
			expect(scene.simulator.creates().map(({ prompt }) => prompt)).toContain('one');
			expect(scene.violations()).toEqual([]);
		},
	);
});

test('has played every fault at every call in every way', () => {
	// A clear no is not played where a task is made: at one of the two calls that create.
	const noes = FAULTS.filter(({ saysNo }) => saysNo).length;
	const combinations = [
		{ ways: WAYS, calls: CALLS },
		{ ways: RETRYING_WAYS, calls: CALLS_AFTER_FAILURE },
		{ ways: RESTS, calls: CALLS_BEFORE_REST },
		{ ways: STOPS, calls: CREATE_CALLS },
	].map(({ ways, calls }) => ways.length * (calls.length * FAULTS.length - noes));
	const expected =
		combinations.reduce((sum, count) => sum + count, 0) * LENGTHS.length * POSITIONS.length;
	expect(played.size).toBe(expected);
	process.stdout.write(`Fault matrix: ${played.size} cells, ${violationCount} violations\n`);
});
