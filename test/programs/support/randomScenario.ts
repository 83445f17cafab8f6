import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import type { Rule, TaskPlan } from '../simulator';
import type { OrderKeys } from '../simulator/orderKeys';
import type { Execution, Scenario } from './faultScene';
import { FAULTS, MODERATED, RARE_FAULTS } from './faults';

const sometimes = (percent: number): fc.Arbitrary<boolean> =>
	fc.oneof(
		{ weight: 100 - percent, arbitrary: fc.constant(false) },
		{ weight: percent, arbitrary: fc.constant(true) },
	);

const settings: fc.Arbitrary<Partial<INode>> = fc
	.record({
		onError: fc.constantFrom(undefined, 'continueRegularOutput', 'continueErrorOutput'),
		maxTries: fc.constantFrom(1, 1, 1, 2, 3, 4),
	})
	.map(({ onError, maxTries }) => ({
		...(onError && { onError }),
		...(maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
	}));

const parametersWith = (pollIntervalSeconds: number): fc.Arbitrary<Execution['more']> =>
	fc.record({
		waitForCompletion: sometimes(85),
		options: fc.record({
			pollIntervalSeconds: fc.constant(pollIntervalSeconds),
			timeoutMinutes: fc
				.constantFrom(1, 2, 4, 8)
				.map((intervals) => (pollIntervalSeconds * intervals) / 60),
			waitMethod: fc.constantFrom('poll', 'poll', 'poll', 'callback'),
			onTimeout: fc.constantFrom('error', 'error', 'returnTask'),
			onFailure: fc.constantFrom('error', 'error', 'returnTask'),
			maxConcurrentTasks: fc.constantFrom(20, 20, 20, 1, 2, 3),
			resendAfterNoReply: sometimes(25),
		}),
	});

const planWith = (prompt: string, intervalSeconds: number): fc.Arbitrary<TaskPlan> =>
	fc.record({
		prompt: fc.constant(prompt),
		times: fc.integer({ min: 1, max: 2 }),
		durationMs: fc
			.constantFrom(0, 0.5, 1, 1.5, 3)
			.map((intervals) => intervals * intervalSeconds * 1_000),
		outcome: fc.oneof(
			{ weight: 4, arbitrary: fc.constant('completed' as const) },
			{ weight: 3, arbitrary: fc.constant('failed' as const) },
			{ weight: 1, arbitrary: fc.constant('never' as const) },
		),
		immediate: sometimes(10),
		notFoundForMs: fc
			.constantFrom(0, 0, 0, 0, 0, 1, 4, 8)
			.map((intervals) => intervals * intervalSeconds * 1_000),
		error: fc.constantFrom(undefined, undefined, undefined, null, '', 'no', { code: 'policy' }),
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

/** How the executions are started: a click knows no more than the n8n process does. */
const WAYS = ['retries', 'retries', 'retries', 'clicks at the end', 'clicks'] as const;

const facts = fc.record({
	ways: fc.constantFrom(...WAYS),
	count: fc.constantFrom(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6),
	intervalSeconds: fc.constantFrom(1, 5, 20),
	hasEqualPrompts: sometimes(30),
	/** Beyond the last item nearly always. */
	emptyAt: fc.nat(60),
});

/** All different, unless every execution is a click. */
function promptsOf({ ways, count, hasEqualPrompts, emptyAt }: Facts): string[] {
	const prompts = Array.from({ length: count }, (_, index) =>
		index === emptyAt ? '' : `item ${index}`,
	);
	if (ways === 'clicks' && hasEqualPrompts && count > 1) prompts[1] = 'item 0';
	return prompts;
}
type Facts = typeof facts extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Everything that is drawn for one run, before it begins. */
export const scenario: fc.Arbitrary<Scenario> = facts.chain((given) => {
	const { ways, count, intervalSeconds } = given;
	const prompts = promptsOf(given);
	const parameters = parametersWith(intervalSeconds);
	return fc
		.record({
			settings,
			more: parameters,
			changesByItself: sometimes(40),
			turns: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 2, 3),
			/** Of later executions, where they have others than the first. */
			others: fc.array(fc.option(parameters, { freq: 1 }), { minLength: 1, maxLength: 2 }),
			isStopped: sometimes(15),
			stopped: fc.nat(2),
			stopAtCreate: fc.integer({ min: 1, max: count }),
			orderKeys: fc.constantFrom<OrderKeys>('ignored', 'ignored', 'honoured', 'repeated', 409, 422),
			rules: fc.array(ruleFor(prompts), { maxLength: 4 }),
			plans: fc.tuple(...prompts.map((prompt) => planWith(prompt, intervalSeconds))),
			jitter: fc.nat(),
		})
		.map(({ orderKeys, rules, plans, jitter, ...drawn }) => ({
			executions: executionsOf(prompts, ways, drawn),
			orderKeys,
			rules,
			plans: plans.filter(({ prompt }) => prompt !== ''),
			jitter,
		}));
});

interface Drawn extends Pick<Execution, 'settings' | 'more' | 'changesByItself' | 'turns'> {
	others: Array<Execution['more'] | null>;
	isStopped: boolean;
	stopped: number;
	stopAtCreate: number;
}

function executionsOf(prompts: string[], ways: Facts['ways'], drawn: Drawn): Execution[] {
	const { others, isStopped, stopped, stopAtCreate, ...given } = drawn;
	const isClicked = ways !== 'retries';
	const first: Execution = {
		...given,
		prompts,
		turns: given.settings.onError === 'continueErrorOutput' ? given.turns : 0,
		changesByItself: given.changesByItself && !isClicked,
		isClick: ways === 'clicks',
	};
	const later = others.map((more) => ({ ...first, more: more ?? first.more, isClick: isClicked }));
	const executions = [first, ...later];
	if (!isStopped) return executions;
	const last = stopped % executions.length;
	Object.assign(executions[last] ?? {}, { stopAtCreate });
	// n8n retries no execution that was stopped.
	return isClicked ? executions : executions.slice(0, last + 1);
}
