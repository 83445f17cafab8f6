import type { WorkflowExecuteMode } from 'n8n-workflow';
import { stoppedFailure, thrownError } from '../../../nodes/Videogen/run/errors';
import { showHints } from '../../../nodes/Videogen/run/hints';
import type { ErrorKind } from '../../../nodes/Videogen/shared/messages';
import type { State } from '../../../nodes/Videogen/work/order';
import type { CreateJob, Outcome, ReadPlan, Result } from '../../../nodes/Videogen/work/session';
import { NODE } from '../../support/node';
import { orderOf, planOf, taskOf } from '../../support/orders';

const failure = { kind: 'failed', message: 'ECONNREFUSED', description: 'Advice.' } as const;
const task = taskOf('queued');

const jobOf = (state: State): CreateJob => ({
	do: 'create',
	plan: planOf(),
	order: orderOf(state, { countedBy: '1' }),
});
const resultOf = (state: State, outcome: Outcome = {}): Result => ({
	job: jobOf(state),
	outcome,
});

const SENT: State = { is: 'sent', by: ['1'], mayExist: true };
const CREATED: State = { is: 'task', by: ['1'], taskId: 'task_1', task };
const [UNSENT, FAILED] = [{}, { failure }].map((one) => resultOf({ is: 'new', by: [] }, one));
const TASK = resultOf(CREATED);
const READ: Result = { job: { ...jobOf(CREATED), do: 'read' }, outcome: {} };
const REUSED: Result = { ...READ, job: { ...jobOf(CREATED), do: 'read', reusedFrom: '3' } };
const [UNCONFIRMED, NAMED] = [SENT, { ...SENT, taskId: 'x' }].map((state) => resultOf(state));

/** The results of a run, whose items have their places. */
const resultsOf = (given: Array<Result | undefined>): Result[] =>
	given.map((one, index) => {
		const { job, outcome } = one ?? TASK;
		const plan = planOf('A fox', { index });
		return { job: job.do === 'create' ? { ...job, plan } : job, outcome };
	});

describe('the error of a run', () => {
	function thrown(
		given: Array<Result | undefined>,
		kind: ErrorKind = 'failed',
		mode = 'trigger',
		isReusing = false,
		description = 'Advice.',
	) {
		const context = { getNode: () => NODE, getMode: () => mode, getExecutionId: () => '7' };
		const results = resultsOf(given);
		const ofN8n = Object.assign(Object.create(null), context);
		return thrownError(ofN8n, { ...failure, kind, description }, results, results[0], isReusing);
	}

	test('has the facts of its text in its context, and the tasks of the other items', () => {
		const { message, description, context } = thrown([TASK, UNCONFIRMED, TASK, NAMED, UNSENT]);
		const otherTasks = [
			{ itemIndex: 2, taskId: 'task_1', status: 'queued' },
			{ itemIndex: 3, taskId: 'x', status: undefined },
		];
		expect(message).toBe('Item 1 of 5: ECONNREFUSED (task ID: task_1, status: queued)');
		expect(description).toMatch(/^Advice\. .*may also exist.* 2\.$/);
		expect(context).toMatchObject({
			kind: 'failed',
			orderId: 'order',
			taskId: 'task_1',
			status: 'queued',
			item: 1,
			data: { otherTasks, unansweredItems: [1] },
		});
	});

	test('names a short ID beside a text that happens to contain it', () => {
		const numbered = resultOf({ ...CREATED, taskId: '4', task: undefined });
		const described = (description: string) =>
			thrown([numbered], 'failed', 'trigger', false, description).message;
		expect(described('The provider says: "No (404)".')).toBe('ECONNREFUSED (task ID: 4)');
		expect(described("Use 'Get Task' with the ID 4.")).toBe('ECONNREFUSED');
		expect(described('Ask the provider for the video of task 4: it is paid.')).toBe('ECONNREFUSED');
	});

	/** What to do with the tasks of other items: continue them, and how. */
	const [RETRY, CONTINUE] = [/select Retry/, /'On Error'/];
	test.each<[Array<Result | undefined>, ErrorKind, name: string, advice?: RegExp]>([
		[[UNSENT], 'failed', 'NodeOperationError'],
		[[TASK], 'timeout', 'NodeOperationError'],
		[[UNSENT, TASK], 'key', 'NodeApiError', RETRY],
		[[UNSENT, TASK], 'refused', 'NodeApiError', CONTINUE],
		[[NAMED, TASK], 'noAnswer', 'NodeApiError', RETRY],
	])('says what to do: %#', (results, kind, name, ...[advice]) => {
		const { description, ...error } = thrown(results, kind);
		const fitting = [RETRY, CONTINUE].filter((one) => one.test(String(description)));
		expect(fitting).toEqual(advice ? [advice] : []);
		if (kind !== 'failed') expect(error.name).toBe(name);
	});

	test.each([
		['what was reused', [UNSENT, REUSED], /^Advice\. Reused 1 of 2 videos from execution 3; /],
		['that the next click reuses the others', [UNSENT, TASK], /same requests reuses the other/],
		['nothing of others that do not exist', [UNSENT, UNSENT], /^Advice\.$/],
	])('says in the editor %s', (_what, results, expected) =>
		expect(thrown(results, 'failed', 'manual', true).description).toMatch(expected),
	);

	test.each([
		[false, 'Read it, or retry this execution.'],
		[true, 'Read it, or execute the node again with the same request.'],
	])('says how to continue: the next click reuses: %j', (isReusing, said) => {
		const description = 'Read it, or retry this execution.';
		expect(thrown([UNSENT], 'timeout', 'manual', isReusing, description).description).toBe(said);
	});

	test('of the limit names no item, because it stops all of them', () =>
		expect(thrown([UNSENT, UNSENT], 'limit').message).toBe('ECONNREFUSED'));

	test.each([
		[[TASK, NAMED], /charged: use 'Get Task' with task_1, x\.$/],
		[[UNSENT, UNCONFIRMED], /^A video may exist for these items, .*: 2\.$/],
		[[UNSENT], /^No video was created\.$/],
	])('after Stop says what may exist: %#', (results, expected) =>
		expect(stoppedFailure(resultsOf(results)).description).toMatch(expected),
	);
});

describe('hints and logs', () => {
	function hintsOf(
		results: Result[],
		mode: WorkflowExecuteMode = 'manual',
		node = {},
		executionId = '1',
	): string {
		const lines: string[] = [];
		const context = {
			getMode: () => mode,
			getExecutionId: () => executionId,
			getNode: () => ({ ...NODE, ...node }),
			continueOnFail: () => true,
			addExecutionHints: ({ message, type = '' }: { message: string; type?: string }) =>
				void lines.push(`${type}: ${message}`),
		};
		showHints(Object.assign(Object.create(null), context), resultsOf(results), false);
		return lines.join('\n');
	}

	const some = (result: Result | undefined): Result => result ?? TASK;
	test.each<[string, string, lines: RegExp]>([
		['a task', hintsOf([TASK, some(UNSENT)]), /^: Created 1 task, 5 seconds/],
		['tasks', hintsOf([TASK, TASK]), /^: Created 2 tasks, 10 seconds in total\./],
		['a task that may exist', hintsOf([some(NAMED)]), /^$/],
		['a task in production', hintsOf([TASK], 'trigger'), /^$/],
		['tasks of an earlier try', hintsOf([READ]), /^: Created 1 task/],
		['a task of another execution', hintsOf([TASK], 'manual', {}, '2'), /^$/],
		['errors', hintsOf([some(UNSENT), some(FAILED)]), /^warning: 1 of 2 .* Item 2 of/],
		['an error of a tool', hintsOf([some(FAILED)], 'manual', { type: 'videogenTool' }), /^$/],
	])('say what there is to say of %s', (_what, lines, expected) => expect(lines).toMatch(expected));

	test('say that a task that nobody waits for is not finished', () => {
		const hintOf = (status: string, wait?: ReadPlan['wait']) => {
			const plan: ReadPlan = { do: 'read', index: 0, simplify: true, taskId: 'task_1', wait };
			const outcome = { task: taskOf(status, { progress: 40 }) };
			return hintsOf([{ job: { do: 'read', plan }, outcome }]);
		};
		const hint =
			/^: The task is not finished \(status: queued, 40%\)\. Turn on 'Wait for Completion'/;
		expect(hintOf('queued')).toMatch(hint);
		expect(hintOf('completed')).toBe('');
		expect(hintOf('queued', { intervalMs: 1, timeoutMs: 1 })).toBe('');
	});
});
