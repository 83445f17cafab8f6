import type { INode } from 'n8n-workflow';
import type { Fault, Rule } from '../simulator';
import { FaultScene, isErrorItem } from '../support/faultScene';
import { CONTINUE, ERROR_OUTPUT, status, tries } from './useEngine';

/** Every fault at every call under every way of running; see `FaultScene` for what must hold. */

let scene: FaultScene;
/** How many reads an undisturbed run takes for the item at each position. */
const reads: number[] = [];

const POSITIONS = [0, 1];
const WAITING = {
	waitForCompletion: true,
	waitOptions: { pollIntervalSeconds: 20, timeoutMinutes: 1.5 },
};
const STOP: Partial<INode> = {};

beforeAll(async () => {
	scene = await FaultScene.start();
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
	/** By contract it means that no task was made (service-spec.md, section 7). */
	meansNoTask?: boolean;
}

const MADE_UP_ID = 'task_00000000000000000000none';

const FAULTS: FaultCase[] = [
	{ name: '429', fault: status(429), meansNoTask: true },
	{ name: '500', fault: status(500) },
	{ name: '502', fault: status(502) },
	{ name: '503', fault: status(503) },
	{ name: '504', fault: status(504) },
	{ name: 'reset', fault: { kind: 'reset' } },
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

interface Call {
	call: string;
	isRead: boolean;
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

/** Far more than any backoff gets to in the time of one try. */
const MANY = 40;

const LENGTHS = [
	{ length: 'once', times: 1 },
	{ length: 'for long', times: MANY },
];

interface Way {
	way: string;
	settings: Partial<INode>;
	retries?: boolean;
	changesByItself?: boolean;
}

const WAYS: Way[] = [
	{ way: 'stop', settings: STOP },
	{ way: 'continue', settings: CONTINUE },
	{ way: 'error output', settings: ERROR_OUTPUT },
	{ way: 'Retry On Fail', settings: tries(2) },
	{ way: 'continue and Retry On Fail', settings: { ...tries(2), ...CONTINUE } },
	{ way: 'error output and Retry On Fail', settings: { ...tries(2), ...ERROR_OUTPUT } },
	{ way: 'Retry execution', settings: STOP, retries: true },
	{
		way: 'Retry execution, with an expression that changes by itself',
		settings: STOP,
		retries: true,
		changesByItself: true,
	},
];

interface Cell {
	name: string;
	position: number;
	rule: Rule;
	/** Reads are tried again, so a single fault must pass unnoticed. */
	isHarmless: boolean;
}

function cellsOf({ isRead, rule }: Call): Cell[] {
	const cells: Cell[] = [];
	for (const { name, fault, withoutTask = fault, meansNoTask } of FAULTS) {
		for (const { length, times } of LENGTHS) {
			for (const position of POSITIONS) {
				const where = rule(reads[position] ?? 0);
				if (meansNoTask && where.createTask) continue;
				const hasTask = isRead || where.createTask;
				cells.push({
					name: `${name} ${length}, item ${position}`,
					position,
					rule: { ...where, times, fault: hasTask ? fault : withoutTask },
					isHarmless: isRead && times === 1,
				});
			}
		}
	}
	return cells;
}

let cellCount = 0;
/** Those that are stopped. */
let stopCount = 0;
let violationCount = 0;

async function violationsOf(cell: Cell, way: Way): Promise<string[]> {
	await scene.reset();
	const prompts = ['one', 'two'];
	const prompt = prompts[cell.position];
	scene.script({ ...cell.rule, prompt });
	const { settings, changesByItself } = way;
	const execution = { prompts, settings, changesByItself, more: WAITING, wantsCompleted: true };
	const result = await scene.execute(execution);
	if (way.retries && result.status === 'error') await scene.execute(execution);
	const violations = scene.violations();
	const isPlayed = scene.simulator.requests.some(({ fault }) => fault === cell.rule.fault.kind);
	if (!isPlayed) violations.push('the fault was not played');
	const isCompleted = result.status === 'success' && !result.output.some(isErrorItem);
	if (cell.isHarmless && !(isCompleted && result.output.length === prompts.length)) {
		violations.push('a read was not tried again');
	}
	cellCount += 1;
	violationCount += violations.length;
	return violations.map((text) => `${cell.name}: ${text}\n${scene.describe()}`);
}

test('an undisturbed task is read often enough for a first, a later and a last poll', () => {
	expect(Math.min(...reads)).toBeGreaterThanOrEqual(3);
});

describe.each(WAYS)('$way', (way) => {
	test.each(CALLS)('$call', async (call) => {
		const violations: string[] = [];
		for (const cell of cellsOf(call)) violations.push(...(await violationsOf(cell, way)));
		expect(violations).toEqual([]);
	});
});

describe('stopped while creates are under way', () => {
	const CREATE_CALLS = CALLS.filter(({ isRead }) => !isRead);

	test.each(CREATE_CALLS)('$call', async (call) => {
		const violations: string[] = [];
		for (const { name, position, rule } of cellsOf(call)) {
			for (const stopAtCreate of [1, 2]) {
				await scene.reset();
				const prompts = ['one', 'two'];
				scene.script({ ...rule, prompt: prompts[position] });
				const result = await scene.execute({
					prompts,
					settings: STOP,
					more: WAITING,
					stopAtCreate,
				});
				expect(result.status).toBe('canceled');
				stopCount += 1;
				violations.push(
					...scene.violations().map((text) => `${name}: ${text}\n${scene.describe()}`),
				);
			}
		}
		violationCount += violations.length;
		expect(violations).toEqual([]);
	});
});

test('has played every fault at every call in every way', () => {
	// 12 faults at 5 calls without 429 where a task is made, which the contract rules out: 59. Each
	// twice (once, for long) at 2 items in 8 ways.
	expect(cellCount).toBe(1_888);
	// The 23 of them at creates, each twice at 2 items, stopped at either create.
	expect(stopCount).toBe(184);
	const cells = cellCount + stopCount;
	process.stdout.write(`Fault matrix: ${cells} cells, ${violationCount} violations\n`);
});
