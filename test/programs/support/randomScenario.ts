import type { INode } from 'n8n-workflow';
import type { Fault, Rule, TaskPlan } from '../simulator';
import type { OrderKeys } from '../simulator/orderKeys';
import { DEFAULT_API_KEY } from '../simulator';
import { type Execution, MODERATED_STATUS } from './faultScene';

/** Everything that is drawn for one run, before it begins. */
export interface Scenario {
	/** The first one, and those by which it is retried while it ends in an error; or clicks at the end. */
	executions: Execution[];
	rules: Rule[];
	plans: TaskPlan[];
	orderKeys: OrderKeys;
}

/** Draws from a list and the like, with the given random numbers. */
class Dice {
	constructor(private readonly random: () => number) {}

	one<T>(list: readonly [T, ...T[]]): T {
		return list[Math.floor(this.random() * list.length)] ?? list[0];
	}

	chance(share: number): boolean {
		return this.random() < share;
	}

	/** A whole number, both ends included. */
	between(min: number, max: number): number {
		return min + Math.floor(this.random() * (max - min + 1));
	}

	times<T>(count: number, make: (index: number) => T): T[] {
		return Array.from({ length: count }, (_, index) => make(index));
	}
}

const MADE_UP_ID = 'task_00000000000000000000none';

const INVENTED = { id: MADE_UP_ID, status: 'pending' };
const NO = [302, 307, 400, 404, 409, 410, 422, 501] as const;
const IN_DOUBT = [303, 408, 425, 499, 500, 502, 504, 520] as const;

/** With which a connection that stood can fail, as one that never came about. */
const READ_ERRORS = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'] as const;

export function randomScenario(random: () => number): Scenario {
	const dice = new Dice(random);
	const count = dice.one([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6]);
	const intervalSeconds = dice.one([1, 5, 20]);
	const prompts = dice.times(count, (index) => `item ${index}`);
	const isClicked = dice.chance(0.3);
	const isFirstClicked = isClicked && dice.chance(0.7);
	if (isFirstClicked && count > 1 && dice.chance(0.3)) prompts[1] = 'item 0';
	if (dice.chance(0.05)) prompts[dice.between(0, count - 1)] = '';
	const isMadeUp = dice.chance(0.3);
	const first = randomExecution(dice, prompts, intervalSeconds);
	if (isClicked) Object.assign(first, { isClick: isFirstClicked, changesByItself: false });
	const retries = dice.times(dice.between(isClicked ? 1 : 0, isClicked ? 3 : 2), () => ({
		...retryOf(dice, first, intervalSeconds),
		isClick: isClicked,
	}));
	const executions: Execution[] = [first, ...retries];
	if (dice.chance(0.15)) {
		// n8n retries no execution that was stopped.
		const stopped = executions[isClicked ? dice.between(0, retries.length) : retries.length];
		if (stopped) stopped.stopAtCreate = dice.between(1, count);
	}
	return {
		executions,
		orderKeys: dice.one<OrderKeys>(['ignored', 'ignored', 'honoured', 'repeated', 409, 422]),
		rules: dice.times(dice.between(0, 4), () => randomRule(dice, prompts, isMadeUp)),
		plans: prompts
			.filter((prompt) => prompt !== '' && dice.chance(0.8))
			.map((prompt) => randomPlan(dice, prompt, intervalSeconds * 1_000)),
	};
}

function randomExecution(dice: Dice, prompts: string[], intervalSeconds: number): Execution {
	const onError = dice.one([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const);
	const settings: Partial<INode> = {
		...(onError && { onError }),
		...(dice.chance(0.5) && {
			retryOnFail: true,
			maxTries: dice.between(2, 4),
			waitBetweenTries: 1,
		}),
	};
	const changesByItself = dice.chance(0.4);
	const turns = onError === 'continueErrorOutput' && dice.chance(0.3) ? dice.between(1, 3) : 0;
	return { prompts, settings, changesByItself, turns, ...randomParameters(dice, intervalSeconds) };
}

/** The same items once more, at times with other settings. */
const retryOf = (dice: Dice, first: Execution, intervalSeconds: number): Execution =>
	dice.chance(0.5)
		? { ...first, isUpdated: dice.chance(0.3) }
		: { ...first, ...randomParameters(dice, intervalSeconds) };

function randomParameters(dice: Dice, intervalSeconds: number) {
	const waitForCompletion = dice.chance(0.85);
	const onTimeout = dice.one(['error', 'error', 'returnTask']);
	const onFailure = dice.one(['error', 'error', 'returnTask']);
	const waitMethod = dice.one(['poll', 'poll', 'poll', 'callback']);
	return {
		more: {
			waitForCompletion,
			options: {
				...(waitForCompletion && {
					pollIntervalSeconds: intervalSeconds,
					timeoutMinutes: (intervalSeconds * dice.one([1, 2, 4, 8])) / 60,
					waitMethod,
					onTimeout,
					onFailure,
				}),
				...(dice.chance(0.5) && { maxConcurrentTasks: dice.between(1, 4) }),
			},
		},
		resendAfterNoReply: dice.chance(0.25),
		wantsCompleted: waitForCompletion && onTimeout === 'error' && onFailure === 'error',
	};
}

function randomPlan(dice: Dice, prompt: string, intervalMs: number): TaskPlan {
	return {
		prompt,
		times: dice.between(1, 2),
		durationMs: Math.round(intervalMs * dice.one([0, 0.5, 1, 1.5, 3])),
		outcome: dice.one([
			'completed',
			'completed',
			'completed',
			'completed',
			'failed',
			'failed',
			'failed',
			'never',
		]),
		immediate: dice.chance(0.1),
		...(dice.chance(0.15) && { notFoundForMs: intervalMs * dice.between(1, 8) }),
		...(dice.chance(0.3) && { error: dice.one<unknown>([null, '', 'no', { code: 'policy' }]) }),
	};
}

function randomRule(dice: Dice, prompts: string[], isMadeUp: boolean): Rule {
	const on = dice.one(['create', 'task'] as const);
	const { fault, saysNo } = randomFault(dice, isMadeUp);
	const target = dice.between(-1, prompts.length - 1);
	return {
		on,
		...(target >= 0 && { prompt: prompts[target] }),
		times: dice.one([1, 1, 1, 1, 2, 2, 3, 12, 40, Infinity]),
		skip: dice.one([0, 0, 1, 2]),
		...(on === 'create' && { createTask: !saysNo && dice.chance(0.5) }),
		fault,
	};
}

interface RandomFault {
	fault: Fault;
	/** To a create it is a clear no: no task was made. */
	saysNo?: true;
}

/**
 * Some of them tell the key, as a service does that quotes what it was sent. Which answers say no is
 * written by hand, as in the fault matrix.
 */
function randomFault(dice: Dice, isMadeUp: boolean): RandomFault {
	const told = dice.chance(0.3) ? DEFAULT_API_KEY : 'nothing';
	const body = { error: { message: `It was sent with ${told}.` } };
	const location = `/elsewhere/${told}`;
	const answered = (status: number, said: unknown): Fault => ({
		kind: 'status',
		status,
		body: said,
	});
	return dice.one<RandomFault>([
		{ fault: answered(429, body), saysNo: true },
		{ fault: { kind: 'status', status: 429, retryAfter: dice.one([0, 1, 30]) }, saysNo: true },
		{ fault: answered(dice.one([400, 401, 402, 403, 404, 422]), body), saysNo: true },
		{ fault: answered(dice.one([501, 503]), body), saysNo: true },
		{ fault: answered(MODERATED_STATUS, { error: { code: 'moderation_blocked' } }), saysNo: true },
		{ fault: answered(MODERATED_STATUS, { error: { code: 'moderation_blocked' } }), saysNo: true },
		{ fault: { kind: 'misplaced', status: dice.one([...NO, ...IN_DOUBT]) } },
		{ fault: { kind: 'json', status: dice.one(NO), body: INVENTED }, saysNo: true },
		{ fault: { kind: 'json', status: dice.one(IN_DOUBT), body: INVENTED } },
		{ fault: answered(dice.one([521, 523]), told), saysNo: true },
		{
			fault: { kind: 'redirect', status: dice.one([301, 302, 307, 308]), location },
			saysNo: true,
		},
		{ fault: { kind: 'redirect', status: 303, location } },
		{ fault: answered(dice.one([408, 425, 460, 499]), body) },
		{ fault: answered(dice.one([500, 502, 504, 520, 524, 530, 598, 599]), body) },
		{ fault: answered(dice.one([500, 503]), told) },
		{ fault: { kind: 'reset' } },
		{ fault: { kind: 'reset', code: dice.one(READ_ERRORS) } },
		{ fault: { kind: 'hang' } },
		{ fault: { kind: 'empty' } },
		{ fault: { kind: 'html' } },
		{ fault: { kind: 'html', status: 502 } },
		{ fault: { kind: 'invalidJson' } },
		{ fault: { kind: 'cutOff' } },
		{
			fault: {
				kind: 'json',
				body: isMadeUp ? { id: MADE_UP_ID, status: 'queued' } : { data: told },
			},
		},
		{ fault: { kind: 'unknownStatus', status: `queued for ${told}` } },
		{ fault: { kind: 'merge', fields: { id: undefined } } },
	]);
}
