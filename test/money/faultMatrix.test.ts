import type { INode } from 'n8n-workflow';
import type { Rule, TaskPlan } from '../../tools/simulator';
import { type FaultCase, FAULTS } from './support/faults';
import { type Execution, FaultScene, isErrorItem } from './support/faultScene';
import type { RunResult } from '../support/engine';
import { CONTINUE, ERROR_OUTPUT, tries } from '../support/useEngine';

/** Every fault at every call under every way of running; see `FaultScene` for what must hold. */

let scene: FaultScene;
/** How many reads an undisturbed run takes for the item at each position. */
let reads: number[];

const PROMPTS = ['one', 'two'];
const POSITIONS = PROMPTS.map((_, index) => index);
const WAITING: Execution['more'] = {
	waitForCompletion: true,
	options: { pollIntervalSeconds: 20, timeoutMinutes: 1.5 },
};
const STOP: Partial<INode> = {};

beforeAll(async () => {
	scene = await FaultScene.start();
	const execution = { prompts: PROMPTS, settings: STOP, more: WAITING };
	await scene.play({ rules: [], plans: [], executions: [execution] });
	const read = scene.simulator.reads();
	reads = PROMPTS.map((wanted) => read.filter(({ prompt }) => prompt === wanted).length);
});
afterAll(async () => await scene.close());

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

interface Way extends Pick<
	Execution,
	'settings' | 'changesByItself' | 'isClick' | 'isFired' | 'isNewProcess'
> {
	way: string;
	calls: Call[];
	/** How it waits. */
	more?: Execution['more'];
	/** How often a person presses Retry execution while it ends in an error, or clicks in any case. */
	retries?: number;
	/** Whether the first is a click, and the others retry it. */
	isRetryOfClick?: true;
	/** Whether something sends again what was refused. */
	isRetried?: true;
	/** Stops the first execution at this create; what follows are clicks. */
	stopAtCreate?: number;
	/** Whether the service honours keys, which each execution derives in a process of its own. */
	hasDerivedKeys?: true;
}

const ALL_CALLS = [...CALLS, ...CALLS_AFTER_FAILURE];
const RETRY_EXECUTION = { settings: STOP, retries: 2, isRetried: true, calls: ALL_CALLS } as const;

const DERIVED = {
	retries: 2,
	isNewProcess: true,
	hasDerivedKeys: true,
	more: {
		...WAITING,
		options: { ...WAITING.options, idempotencyKey: '={{ $json.prompt }} today' },
	},
} as const;

const WAYS: Way[] = [
	{ way: 'stop', settings: STOP, calls: CALLS },
	{ way: 'continue', settings: CONTINUE, calls: CALLS },
	{ way: 'error output', settings: ERROR_OUTPUT, calls: CALLS },
	{ way: 'continue and Retry On Fail', settings: { ...tries(2), ...CONTINUE }, calls: CALLS },
	{
		way: 'error output and Retry On Fail',
		settings: { ...tries(2), ...ERROR_OUTPUT },
		calls: CALLS,
	},
	{ way: 'Retry On Fail', settings: tries(3), isRetried: true, calls: ALL_CALLS },
	{ way: 'Retry execution', ...RETRY_EXECUTION },
	{
		way: 'Retry execution, with an expression that changes by itself',
		...RETRY_EXECUTION,
		changesByItself: true,
	},
	{ way: 'clicks in the editor', settings: STOP, retries: 2, isClick: true, calls: ALL_CALLS },
	{
		way: 'Retry execution of a click',
		...RETRY_EXECUTION,
		isRetryOfClick: true,
		calls: [...CREATE_CALLS, ...CALLS_AFTER_FAILURE],
	},
	{
		way: 'Retry execution in another process',
		...RETRY_EXECUTION,
		isNewProcess: true,
	},
	{
		way: 'clicks in the editor with an Idempotency Key, each in another process',
		...DERIVED,
		settings: STOP,
		isClick: true,
		calls: CREATE_CALLS,
	},
	{
		way: 'fired again with an Idempotency Key, each in another process',
		...DERIVED,
		settings: STOP,
		isFired: true,
		calls: CALLS,
	},
	{
		way: 'fired again with an Idempotency Key and Retry On Fail, each in another process',
		...DERIVED,
		settings: tries(3),
		isFired: true,
		calls: ALL_CALLS,
	},
	...[1, 2].map((stopAtCreate) => ({
		way: `stopped at create ${stopAtCreate}`,
		settings: STOP,
		stopAtCreate,
		isClick: true as const,
		retries: 2,
		calls: CREATE_CALLS,
	})),
];

interface Cell extends FaultCase {
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

function executionsOf(way: Way): Execution[] {
	const { more = WAITING, retries = 0, stopAtCreate } = way;
	const { isRetryOfClick, isClick = isRetryOfClick } = way;
	const first = { ...way, isClick, prompts: PROMPTS, more, stopAtCreate };
	const next = { ...first, isClick: way.isClick, stopAtCreate: undefined };
	return [first, ...Array<Execution>(retries).fill(next)];
}

async function violationsOf(cell: Cell, way: Way): Promise<string[]> {
	const { rule, call } = cell;
	const plans: TaskPlan[] = call.firstFails ? [{ prompt: rule.prompt, outcome: 'failed' }] : [];
	const idempotencyKeys = way.hasDerivedKeys && 'honoured';
	const executions = executionsOf(way);
	const results = await scene.play({ rules: [rule], plans, idempotencyKeys, executions });
	const found = way.stopAtCreate ? notStopped(results) : unexpected(cell, way, results);
	return [...scene.violations(), ...found].map(
		(text) => `${cell.name}: ${text}\n${scene.describe()}`,
	);
}

const notStopped = ([first]: RunResult[]): string[] =>
	first?.status === 'canceled' ? [] : [`it was not stopped but is in status ${first?.status}`];

/** What a cell has to show besides what must hold anywhere. */
function unexpected({ rule, call, ...cell }: Cell, way: Way, results: RunResult[]): string[] {
	const result = results.at(-1);
	const { requests } = scene.simulator;
	const isCompleted =
		result?.status === 'success' &&
		result.output.length === PROMPTS.length &&
		!result.output.some(isErrorItem);
	const creates = scene.simulator.creates().filter(({ prompt }) => prompt === rule.prompt);
	const asked = call.firstFails ? 2 : 1;
	const isOnce = rule.times === 1 && !isCompleted;
	const wrong: string[] = [];
	if (!requests.some(({ fault }) => fault === rule.fault.kind)) {
		wrong.push('the fault was not played');
	}
	if (call.isRead && isOnce && !cell.endsReads) {
		wrong.push('a read was not tried again');
	}
	if (!call.isRead && isOnce && cell.asksToWait) {
		wrong.push('a create was not sent again after an answer that asks to wait');
	}
	if (!call.isRead && !cell.saysNo && !way.hasDerivedKeys && creates.length > asked) {
		wrong.push('a create was sent again unasked after an answer that is no no');
	}
	if (!call.isRead && isOnce && cell.saysNo && way.isRetried) {
		wrong.push('a create was not sent again by a retry after a clear no');
	}
	const isClear = call.isRead || cell.saysNo;
	if (isOnce && (way.hasDerivedKeys || (way.isClick && isClear))) {
		wrong.push('the last execution did not bring all');
	}
	return wrong;
}

/** What a person sends again, and what then gets a no, may still have made a task. */
describe('sent again by a person after an answer that is no no, then answered', () => {
	const unclear = FAULTS.filter(({ saysNo }) => !saysNo);
	const noes = FAULTS.filter(({ saysNo, asksToWait }) => saysNo && !asksToWait);
	const RESENDING = { ...WAITING, options: { ...WAITING.options, resendAfterNoReply: true } };
	const executions: Execution[] = [
		{ prompts: PROMPTS, settings: STOP, more: WAITING },
		{ prompts: PROMPTS, settings: tries(3), more: RESENDING },
		{ prompts: PROMPTS, settings: STOP, more: WAITING },
	];

	test.each(noes)('$name: it is sent no third time', async ({ fault }) => {
		const wrong: string[] = [];
		for (const first of unclear) {
			const rule: Rule = { on: 'create', prompt: 'one', createTask: true, fault: first.fault };
			const rules: Rule[] = [rule, { on: 'create', prompt: 'one', fault }];
			await scene.play({ rules, plans: [], executions });
			const creates = scene.simulator.creates().filter(({ prompt }) => prompt === 'one');
			const tooMany = creates.length > 2 ? [`it is sent ${creates.length} times`] : [];
			const found = [...scene.violations(), ...tooMany];
			wrong.push(...found.map((text) => `${first.name}: ${text}\n${scene.describe()}`));
		}
		expect(wrong).toEqual([]);
	});
});

test('an undisturbed task is read often enough for a first, a later and a last poll', () => {
	expect(Math.min(...reads)).toBeGreaterThanOrEqual(3);
});

describe.each(WAYS)('$way', (way) => {
	test.each(way.calls)('$call', async (call) => {
		const violations: string[] = [];
		for (const cell of cellsOf(call, way)) violations.push(...(await violationsOf(cell, way)));
		expect(violations).toEqual([]);
	});
});

describe.each(WAYS.filter(({ stopAtCreate }) => !stopAtCreate))('$way', (way) => {
	test.each([{ durationMs: 0 }, { immediate: true }])(
		'a task that fails at once has no other one in the same try: %j',
		async (plan) => {
			const plans: TaskPlan[] = [{ prompt: 'one', outcome: 'failed', times: MANY, ...plan }];
			const executions = executionsOf({ ...way, retries: 0 });
			await scene.play({ rules: [], plans, executions });
			expect(scene.simulator.creates().map(({ prompt }) => prompt)).toContain('one');
			expect(scene.violations()).toEqual([]);
		},
	);
});
