import { stoppedFailure, thrownError } from '../../../nodes/Videogen/run/errors';
import { showHints, taskLog } from '../../../nodes/Videogen/run/hints';
import { ENDED } from '../../../nodes/Videogen/shared/clock';
import type { ErrorKind } from '../../../nodes/Videogen/shared/messages';
import type { State } from '../../../nodes/Videogen/work/order';
import type {
	CreateJob,
	CreatePlan,
	Outcome,
	ReadPlan,
	Result,
} from '../../../nodes/Videogen/work/session';
import { NODE } from '../../support/node';
import { orderOf, planOf, taskOf } from '../../support/orders';

const description = 'Read it, or retry this execution.';
const failure = { kind: 'failed', message: 'ECONNREFUSED', description } as const;

const jobOf = (state: State): CreateJob => ({
	do: 'create',
	plan: planOf(),
	order: orderOf(state, { countedBy: '1' }),
});
const resultOf = (state: State, outcome: Outcome = {}): Result => ({ job: jobOf(state), outcome });

const NEW: State = { is: 'new', by: [] };
const SENT: State = { is: 'sent', by: ['1'], mayExist: true };
const CREATED: State = { is: 'task', by: ['1'], taskId: 'task_1', task: taskOf('queued') };
const UNSENT = resultOf(NEW);
const FAILED = resultOf(NEW, { failure });
const TASK = resultOf(CREATED);
const UNCONFIRMED = resultOf(SENT);
const NAMED = resultOf({ ...SENT, taskId: 'x' });
const REUSED: Result = { job: { ...jobOf(CREATED), do: 'read', reusedFrom: '3' }, outcome: {} };

/** The results of a run, whose creates have their places. */
const resultsOf = (given: Result[]): Result[] =>
	given.map(({ job, outcome }, index) => {
		const plan = planOf('A fox', { index });
		return { job: job.do === 'create' ? { ...job, plan } : job, outcome };
	});

describe('the error of a run', () => {
	/** Of its first item. */
	function thrown(
		given: Result[],
		more: { kind?: ErrorKind; description?: string } = {},
		isReusing = false,
	) {
		const context: Parameters<typeof thrownError>[0] = {
			getNode: () => NODE,
			getMode: () => 'trigger',
			getExecutionId: () => '7',
		};
		const results = resultsOf(given);
		return thrownError(context, { ...failure, ...more }, results, results[0], isReusing);
	}

	test('names its item, task and status, in its context, too', () => {
		const { message, context } = thrown([TASK, UNSENT]);
		expect(message).toBe('Item 1 of 2: ECONNREFUSED (task ID: task_1, status: queued)');
		const facts = { kind: 'failed', orderId: 'order', taskId: 'task_1', status: 'queued', item: 1 };
		expect(context).toMatchObject(facts);
	});

	test('names a short ID beside a text that happens to contain it', () => {
		const numbered = resultOf({ ...CREATED, taskId: '4', task: undefined });
		const messageWith = (text: string) => thrown([numbered], { description: text }).message;
		expect(messageWith('The provider says: "No (404)".')).toBe('ECONNREFUSED (task ID: 4)');
		expect(messageWith("Use 'Get Task' with the ID 4.")).toBe('ECONNREFUSED');
		expect(messageWith('Ask for the video of task 4: it is paid.')).toBe('ECONNREFUSED');
	});

	const RETRY = /\. To get [^.]* select Retry[^.]*\.$/;
	const CONTINUE = /\. To get [^.]* 'On Error'[^.]*\.$/;
	test.each<[string, Result[], ErrorKind, description: RegExp]>([
		['nothing more about itself', [TASK], 'timeout', /^[^.]*\.$/],
		['what may exist', [TASK, UNCONFIRMED], 'failed', /\. [^.]* may also exist[^.]* 2\.$/],
		['how to get the others', [UNSENT, TASK], 'key', RETRY],
		['how, where it ends so again', [UNSENT, TASK], 'refused', CONTINUE],
		['how, where it has a task', [NAMED, TASK], 'noAnswer', RETRY],
	])('says %s', (_what, results, kind, expected) => {
		const error = thrown(results, { kind });
		expect(error.description).toMatch(/^Read it, or retry this execution\./);
		expect(error.description).toMatch(expected);
		expect(error.name).toBe(kind === 'timeout' ? 'NodeOperationError' : 'NodeApiError');
	});

	test.each<[string, Result[], description: RegExp]>([
		['what was reused', [UNSENT, REUSED], /\. Reused 1 of 2 videos from execution 3; /],
		['that the next click reuses the others', [UNSENT, TASK], /same requests reuses the other/],
		['nothing of others that do not exist', [UNSENT, UNSENT], /^[^.]*\.$/],
	])('says in the editor %s', (_what, results, expected) => {
		const error = thrown(results, {}, true);
		expect(error.description).toMatch(
			/^Read it, or execute the node again with the same request\./,
		);
		expect(error.description).toMatch(expected);
	});

	test('of the limit names no item, because it stops all of them', () =>
		expect(thrown([UNSENT, UNSENT], { kind: 'limit' }).message).toBe('ECONNREFUSED'));

	test.each([
		[[TASK, NAMED], /charged: use 'Get Task' with task_1, x\.$/],
		[[UNSENT, UNCONFIRMED], /^A video may exist for these items, .*: 2\.$/],
		[[UNSENT], /^No video was created\.$/],
	])('after Stop says what may exist: %#', (results, expected) =>
		expect(stoppedFailure(resultsOf(results)).description).toMatch(expected),
	);
});

describe('hints', () => {
	function hintsOf(results: Result[], more = {}): string {
		const lines: string[] = [];
		const context = {
			getMode: () => 'manual',
			getExecutionId: () => '1',
			getNode: () => NODE,
			addExecutionHints: ({ message, type = '' }: { message: string; type?: string }) =>
				void lines.push(`${type}: ${message}`),
			...more,
		};
		showHints(Object.assign(Object.create(null), context), resultsOf(results), false);
		return lines.join('\n');
	}

	/** An item that only reads, and waits or not. */
	const looked = (status: string, wait?: ReadPlan['wait']): Result => ({
		job: { do: 'read', plan: { do: 'read', index: 0, simplify: true, taskId: 'task_1', wait } },
		outcome: { task: taskOf(status, { progress: 40 }) },
	});
	/** A task that an earlier run of the node has created. */
	const read = (returned?: CreatePlan['returned']): Result => ({
		job: { ...jobOf(CREATED), do: 'read', plan: planOf('A fox', { returned }) },
		outcome: {},
	});
	const wait = { intervalMs: 1, timeoutMs: 1 };
	const unfinished = /^: The task is not finished \(status: queued, 40%\)\. Turn on 'Wait for/;

	test.each<[string, Result[], context: object, hints: RegExp]>([
		['a task', [TASK, UNSENT], {}, /^: Created 1 task, 5 seconds/],
		['tasks', [TASK, TASK], {}, /^: Created 2 tasks, 10 seconds in total\./],
		['a task of an earlier try', [read()], {}, /^: Created 1 task,/],
		['a task whose item a loop sends back', [read({ orderId: 'order' })], {}, /^$/],
		['a task that may exist', [NAMED], {}, /^$/],
		['a task in production', [TASK], { getMode: () => 'trigger' }, /^$/],
		['a task of another execution', [TASK], { getExecutionId: () => '2' }, /^$/],
		['errors', [UNSENT, FAILED], {}, /^warning: 1 of 2 .* Item 2 of/],
		['an error of a tool', [FAILED], { getNode: () => ({ type: 'videogenTool' }) }, /^$/],
		['a task that nobody waits for', [looked('queued')], {}, unfinished],
		['one that was waited for', [looked('queued', wait)], {}, /^$/],
		['one that is completed', [looked('completed')], {}, /^$/],
	])('say what there is to say of %s', (_what, results, context, expected) =>
		expect(hintsOf(results, context)).toMatch(expected),
	);
});

test.each<[string, State, isStopped: boolean, line: RegExp]>([
	['a task', CREATED, false, /^info: Task task_1 was created for Item 1 of 2$/],
	['that of a stopped run', CREATED, true, /^warn: .* was created .* Use Get Task with this ID\.$/],
	[
		'one that may exist',
		SENT,
		false,
		/^warn: .* may have been created .* Get Task with this ID\.$/,
	],
])('the log names %s', (_what, state, isStopped, expected) => {
	const lines: string[] = [];
	const logger = Object.assign(Object.create(null), {
		info: (line: string) => lines.push(`info: ${line}`),
		warn: (line: string) => lines.push(`warn: ${line}`),
	});
	const { signal } = new AbortController();
	const log = taskLog({ logger }, 2, isStopped ? AbortSignal.abort(ENDED) : signal);
	log.task(jobOf(state), 'task_1');
	expect(lines).toEqual([expect.stringMatching(expected)]);
});
