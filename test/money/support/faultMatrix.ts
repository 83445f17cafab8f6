import type { RunResult } from '../../support/engine';
import type { Rule, TaskPlan } from '../../../tools/simulator';
import { type FaultCase, FAULTS } from './faults';
import { type FaultExecution, FaultScene, isErrorItem } from './faultScene';

/** Every kind of fault at every call under every way of running; see `FaultScene` for what must hold. */

export const PROMPTS = ['one', 'two'];
export const WAITING: FaultExecution['more'] = {
	waitForCompletion: true,
	options: { pollIntervalSeconds: 20, timeoutMinutes: 1.5 },
};
/** How many reads an undisturbed run takes for each item. */
const READS = 3;

interface Call {
	call: string;
	isRead?: true;
	/** Whether the first task of the item fails, so that a retry makes another. */
	firstFails?: true;
	/** Which calls of the item pass before the fault. */
	rule: Omit<Rule, 'fault'>;
}

export const CREATES: Call[] = [
	{ call: 'create, no task made', rule: { on: 'create' } },
	{ call: 'create, task made', rule: { on: 'create', createTask: true } },
];
export const CREATES_AFTER_FAILURE: Call[] = CREATES.map(({ call, rule }) => ({
	call: `${call}, after a task that failed`,
	firstFails: true,
	rule: { ...rule, skip: 1 },
}));
export const CALLS: Call[] = [
	...CREATES,
	{ call: 'first poll', isRead: true, rule: { on: 'task' } },
	{ call: 'later poll', isRead: true, rule: { on: 'task', skip: 1 } },
	{ call: 'last poll', isRead: true, rule: { on: 'task', skip: READS - 1 } },
];
export const ALL_CALLS = [...CALLS, ...CREATES_AFTER_FAILURE];

/** Far more than any backoff gets to in the time of one try. */
const MANY = 40;

export interface Way extends Partial<Omit<FaultExecution, 'prompts'>> {
	way: string;
	calls: Call[];
	/** How often a person presses Retry execution while it ends in an error, or clicks in any case. */
	retries?: number;
	/** Whether the first is a click, and the others retry it. */
	isRetryOfClick?: true;
	/** Whether the service honours keys, which each execution derives in a process of its own. */
	hasDerivedKeys?: true;
	/** Whether every status is played, and not just one of those that mean the same. */
	hasAllStatuses?: true;
}

interface Cell extends FaultCase {
	call: Call;
	rule: Rule;
}

const cellsOf = (call: Call, { hasAllStatuses }: Way): Cell[] =>
	FAULTS.filter(({ saysNo }) => !saysNo || !call.rule.createTask)
		.filter(({ isVariant }) => hasAllStatuses || !isVariant)
		.flatMap((faultCase) =>
			PROMPTS.map((prompt) => {
				const { fault, withoutTask = fault } = faultCase;
				const hasTask = call.isRead || call.rule.createTask;
				const rule = { ...call.rule, prompt, fault: hasTask ? fault : withoutTask };
				return { ...faultCase, call, rule };
			}),
		);

function executionsOf({
	isRetryOfClick,
	retries = 0,
	stopAtCreate,
	...way
}: Way): FaultExecution[] {
	const next = { settings: {}, more: WAITING, ...way, prompts: PROMPTS };
	const first = { ...next, stopAtCreate, isClick: way.isClick ?? isRetryOfClick };
	return [first, ...Array<FaultExecution>(retries).fill(next)];
}

const isCompleted = (result: RunResult | undefined): boolean =>
	result?.status === 'success' &&
	result.output.length === PROMPTS.length &&
	!result.output.some(isErrorItem);

/** What a cell has to show besides what must hold anywhere. */
function unexpected(cell: Cell, way: Way, results: RunResult[], { simulator }: FaultScene) {
	const { rule, call, saysNo, endsReads, asksToWait } = cell;
	const isPlayed = playedIn(simulator, rule) > 0;
	if (way.stopAtCreate) {
		const isStopped = results[0]?.status === 'canceled';
		return isPlayed && isStopped ? [] : ['it was not stopped, or not disturbed'];
	}
	const { settings: { onError, retryOnFail } = {}, retries = 0, hasDerivedKeys } = way;
	const isRetried = onError === undefined && (retries > 0 || retryOnFail === true);
	const [first, last] = [results[0], results.at(-1)].map(isCompleted);
	// A task that fails at first has its second create in a later execution.
	const isWithstood = call.firstFails ? last : first;
	const isOnce = rule.times === 1;
	const creates = simulator.creates().filter(({ prompt }) => prompt === rule.prompt);
	const isSentAgain = creates.length > (call.firstFails ? 2 : 1);
	const wrong: Record<string, unknown> = {
		'the fault was not played': !isPlayed,
		'a read was not tried again': isOnce && !isWithstood && call.isRead && !endsReads,
		'a create was not sent again after an answer that asks to wait':
			isOnce && !isWithstood && !call.isRead && asksToWait,
		'no later try brought all':
			isOnce && !last && (hasDerivedKeys || (isRetried && (call.isRead || saysNo))),
		'a create was sent again unasked after an answer that is no no':
			!call.isRead && !saysNo && !hasDerivedKeys && isSentAgain,
	};
	return Object.keys(wrong).filter((text) => wrong[text]);
}

const playedIn = ({ requests }: FaultScene['simulator'], { fault: { kind } }: Rule): number =>
	requests.filter(({ fault }) => fault === kind).length;

/** Call it once at the top of a test file. */
export function playMatrix(ways: Way[]): FaultScene {
	const scene = new FaultScene();

	test('an undisturbed task is read often enough for a first, a later and a last poll', async () => {
		await scene.play({ executions: executionsOf({ way: '', calls: [] }) });
		for (const id of scene.simulator.tasks.keys()) {
			expect(scene.simulator.reads(id)).toHaveLength(READS);
		}
	});

	describe.each(ways)('$way', (way) => {
		/** Plays a fault that may come many times, and one that comes once unless that was the same. */
		const playCell = async (given: Cell): Promise<string[]> => {
			const { rule, name, call } = given;
			const plans: TaskPlan[] = call.firstFails ? [{ prompt: rule.prompt, outcome: 'failed' }] : [];
			const idempotencyKeys = way.hasDerivedKeys && 'honoured';
			const executions = executionsOf(way);
			const wrong: string[] = [];
			for (const asked of [MANY, 1]) {
				const rules = [{ ...rule, times: asked }];
				const results = await scene.play({ rules, plans, idempotencyKeys, executions });
				const times = playedIn(scene.simulator, rule) <= 1 ? 1 : asked;
				const cell = { ...given, rule: { ...rule, times } };
				for (const text of [...scene.violations(), ...unexpected(cell, way, results, scene)]) {
					wrong.push(`${name}, ${times} times, ${rule.prompt}: ${text}\n${scene.describe()}`);
				}
				if (times === 1) break;
			}
			return wrong;
		};

		test.each(way.calls)('$call', async (call) => {
			const wrong: string[] = [];
			for (const cell of cellsOf(call, way)) wrong.push(...(await playCell(cell)));
			expect(wrong).toEqual([]);
		});
	});

	return scene;
}
