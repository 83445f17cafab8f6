import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import type { Rule, TaskPlan } from '../../../tools/simulator';
import type { IdempotencyKeys } from '../../../tools/simulator/idempotencyKeys';
import type { FaultExecution, FaultScenario } from './faultScene';
import { FAULTS, MODERATED, RARE_FAULTS } from './faults';

const sometimes = (percent: number): fc.Arbitrary<boolean> =>
	fc.oneof(
		{ weight: 100 - percent, arbitrary: fc.constant(false) },
		{ weight: percent, arbitrary: fc.constant(true) },
	);

const INTERVAL_SECONDS = 5;
/** So many times as long as a task is read in a plain rhythm. */
const intervals = (...counts: number[]): fc.Arbitrary<number> =>
	fc.constantFrom(...counts).map((count) => count * INTERVAL_SECONDS * 1_000);

const settings: fc.Arbitrary<Partial<INode>> = fc
	.record({
		onError: fc.constantFrom(undefined, 'continueRegularOutput', 'continueErrorOutput'),
		maxTries: fc.constantFrom(1, 1, 1, 2, 3, 4),
	})
	.map(({ onError, maxTries }) => ({
		...(onError && { onError }),
		...(maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
	}));

const parameters: fc.Arbitrary<FaultExecution['more']> = fc.record({
	waitForCompletion: sometimes(85),
	downloadResults: sometimes(40),
	options: fc.record({
		pollIntervalSeconds: fc.constant(INTERVAL_SECONDS),
		timeoutMinutes: intervals(1, 2, 4, 8).map((ms) => ms / 60_000),
		maxConcurrentTasks: fc.constantFrom(20, 20, 20, 1, 2, 3),
		maxNewTasks: fc.constantFrom(...Array<undefined>(12).fill(undefined), 1, 2, 3, 4),
		resendAfterNoReply: sometimes(25),
	}),
});

const planFor = (prompt: string): fc.Arbitrary<TaskPlan> =>
	fc.record({
		prompt: fc.constant(prompt),
		times: fc.integer({ min: 1, max: 2 }),
		durationMs: intervals(0, 0.5, 1, 1.5, 3),
		outcome: fc.oneof(
			{ weight: 4, arbitrary: fc.constant('completed' as const) },
			{ weight: 3, arbitrary: fc.constant('failed' as const) },
			{ weight: 1, arbitrary: fc.constant('never' as const) },
		),
		immediate: sometimes(10),
		resultBody: fc.constant('a video'),
		results: fc.constantFrom(...Array<undefined>(15).fill(undefined), []),
		notFoundForMs: intervals(0, 0, 0, 0, 0, 1, 4, 8),
		error: fc.constantFrom(
			...[undefined, undefined, undefined, null, '', 'no'],
			...[{ code: 'policy' }, { code: 'resource_exhausted' }],
		),
	});

const faultCase = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom(...FAULTS) },
	{ weight: 4, arbitrary: fc.constantFrom(...RARE_FAULTS) },
	{ weight: 1, arbitrary: fc.constant(MODERATED) },
);

const ruleFor = (prompts: string[]): fc.Arbitrary<Rule> =>
	fc
		.record({
			on: fc.constantFrom('create' as const, 'task' as const),
			prompt: fc.constantFrom(undefined, ...prompts),
			times: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 12, 40, Infinity),
			skip: fc.constantFrom(0, 0, 1, 2),
			hasTask: fc.boolean(),
			faultCase,
		})
		.map(({ hasTask, faultCase: { fault, withoutTask = fault, saysNo }, ...rule }) => {
			const createTask = rule.on === 'create' && hasTask && !saysNo;
			return { ...rule, createTask, fault: hasTask || rule.on === 'task' ? fault : withoutTask };
		});

/** A file that is not there yet, or not at once for everybody. */
const lateFile = (prompts: string[]): fc.Arbitrary<Rule> =>
	fc.record({
		on: fc.constant('result' as const),
		prompt: fc.constantFrom(undefined, ...prompts),
		times: fc.constantFrom(1, 2, 4, 8, 30, Infinity),
		fault: fc.record({
			kind: fc.constant('status' as const),
			status: fc.constantFrom(403, 404, 429, 500),
		}),
	});

/** How the executions are started: a click knows no more than the n8n process does. */
const WAYS = [
	...(['retries', 'retries', 'retries', 'retries of a click'] as const),
	...(['clicks at the end', 'clicks', 'clicks', 'fired'] as const),
];

const executionsOf = (prompts: string[]): fc.Arbitrary<FaultExecution[]> =>
	fc
		.record({
			ways: fc.constantFrom(...WAYS),
			settings,
			first: parameters,
			/** Where they have others than the first. */
			later: fc.array(fc.option(parameters, { freq: 1 }), { minLength: 1, maxLength: 2 }),
			changesByItself: sometimes(40),
			isStopped: sometimes(15),
			stopped: fc.nat(2),
			stopAtCreate: fc.integer({ min: 1, max: prompts.length }),
			isKeyed: sometimes(40),
			newProcesses: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
		})
		.map(({ ways, first, later, isStopped, stopped, stopAtCreate, ...drawn }) => {
			const isFired = ways === 'fired';
			const isClicked = ways === 'clicks' || ways === 'clicks at the end';
			const idempotencyKey = drawn.isKeyed ? '={{ $json.prompt }} today' : undefined;
			const chosen = [first, ...later].map((more) => more ?? first);
			const executions = chosen.map((more, index): FaultExecution => ({
				prompts,
				settings: drawn.settings,
				more: { ...more, options: { ...more.options, idempotencyKey } },
				changesByItself: drawn.changesByItself && !isClicked && !isFired,
				isFired: isFired && index > 0,
				isNewProcess: drawn.newProcesses[index],
				isClick:
					ways === 'clicks' ||
					(ways === 'retries of a click' ? index === 0 : isClicked && index > 0),
			}));
			if (!isStopped) return executions;
			const last = stopped % executions.length;
			Object.assign(executions[last] ?? {}, { stopAtCreate });
			// n8n retries no execution that was stopped.
			return isClicked || isFired ? executions : executions.slice(0, last + 1);
		});

/** Everything that is drawn for one run, before it begins. */
export const scenario: fc.Arbitrary<FaultScenario> = fc
	.constantFrom(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6)
	.map((count) => Array.from({ length: count }, (_, index) => `item ${index}`))
	.chain((prompts) =>
		fc.record({
			executions: executionsOf(prompts),
			rules: fc
				.tuple(
					fc.array(ruleFor(prompts), { maxLength: 4 }),
					fc.array(lateFile(prompts), { maxLength: 1 }),
				)
				.map((rules) => rules.flat()),
			plans: fc.tuple(...prompts.map(planFor)),
			idempotencyKeys: fc.constantFrom<IdempotencyKeys>(
				...(['ignored', 'ignored', 'honoured', 'repeated', 409, 422] as const),
			),
		}),
	);
