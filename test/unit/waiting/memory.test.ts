import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../../../nodes/Videogen/input/plannedRequest';
import { TaskMemory } from '../../../nodes/Videogen/memory';
import type { Outcome } from '../../../nodes/Videogen/waiting/job';
import { status, unreadable } from '../../support/fakeService';

function request(prompt: string, duration = 5): PlannedRequest {
	const body = { model: 'videogen-2.5-text-to-video', prompt, duration, quality: '720p' } as const;
	return { body, toSend: () => body };
}

const taskOf = (id: string, state: 'unfinished' | 'completed' | 'failed' = 'unfinished') => ({
	id,
	status: state,
	state,
	record: { id, status: state },
});

/** The memory of a later try, through JSON as n8n saves it. */
const laterTry = (
	context: IDataObject,
	{ runIndex = 0, baseUrl = 'https://a.example' }: { runIndex?: number; baseUrl?: string } = {},
): TaskMemory =>
	new TaskMemory({ context: JSON.parse(JSON.stringify(context)), runIndex, baseUrl });

const fox = request('a fox');
const create = { kind: 'create', request: fox };
const resume = { kind: 'resume', taskId: 'task-1', request: fox };

describe('what is remembered of an item', () => {
	let context: IDataObject;
	let memory: TaskMemory;

	beforeEach(() => {
		context = {};
		memory = new TaskMemory({ context, runIndex: 0, baseUrl: 'https://a.example' });
	});

	test('nothing at first: it is created', () => {
		expect(memory.startFor(0, fox)).toEqual(create);
	});

	test('an unfinished or completed task is resumed', () => {
		memory.keepTask(0, fox, taskOf('task-1'));
		expect(laterTry(context).startFor(0, fox)).toEqual(resume);
		memory.keepTask(0, fox, taskOf('task-1', 'completed'));
		expect(laterTry(context).startFor(0, fox)).toEqual(resume);
	});

	test('a failed task is created again', () => {
		memory.keepTask(0, fox, taskOf('task-1', 'failed'));
		expect(laterTry(context).startFor(0, fox)).toEqual(create);
	});

	const lost = unreadable('empty');
	const outcomes: Array<[string, Outcome, unknown]> = [
		['done', { kind: 'done', task: taskOf('task-1', 'completed') }, resume],
		['failed', { kind: 'failed', task: taskOf('task-1', 'failed') }, create],
		['timed out', { kind: 'timedOut', taskId: 'task-1' }, resume],
		['not read', { kind: 'notRead', taskId: 'task-1', trouble: status(500) }, resume],
		['left', { kind: 'left', taskId: 'task-1' }, resume],
		['unanswered', { kind: 'notCreated', trouble: lost, mayExist: true }, 'unanswered'],
	];

	test.each(outcomes)('after an outcome that is %s', (_, outcome, start) => {
		memory.keepTask(0, fox, taskOf('task-1'));
		memory.keepOutcome(0, fox, outcome);
		expect(laterTry(context).startFor(0, fox)).toEqual(start);
	});

	test('a create that was refused, or never sent, leaves nothing', () => {
		memory.keepOutcome(0, fox, { kind: 'notCreated', trouble: status(503), mayExist: false });
		memory.keepOutcome(0, fox, { kind: 'notStarted' });
		expect(laterTry(context).startFor(0, fox)).toEqual(create);
	});

	test('a task that is made after an unanswered create takes its place', () => {
		memory.keepOutcome(0, fox, { kind: 'notCreated', trouble: lost, mayExist: true });
		memory.keepTask(0, fox, taskOf('task-1'));
		expect(laterTry(context).startFor(0, fox)).toEqual(resume);
	});

	test.each<[string, (context: IDataObject) => unknown]>([
		['another item', (kept) => laterTry(kept).startFor(1, fox)],
		['another prompt', (kept) => laterTry(kept).startFor(0, request('a wolf'))],
		['another setting', (kept) => laterTry(kept).startFor(0, request('a fox', 10))],
		['another run of the node', (kept) => laterTry(kept, { runIndex: 1 }).startFor(0, fox)],
		[
			'another service',
			(kept) => laterTry(kept, { baseUrl: 'https://b.example' }).startFor(0, fox),
		],
	])('is not taken for %s', (_, start) => {
		memory.keepTask(0, fox, taskOf('task-1'));
		expect(start(context)).toMatchObject({ kind: 'create' });
	});

	test('is forgotten for its own run only, whatever the digits of the others', () => {
		const runs = [1, 11, 2].map(
			(runIndex) => new TaskMemory({ context, runIndex, baseUrl: 'https://a.example' }),
		);
		for (const run of runs) run.keepTask(0, fox, taskOf('task-1'));
		new TaskMemory({ context, runIndex: 1, baseUrl: 'https://a.example' }).forgetRun();
		expect(laterTry(context, { runIndex: 1 }).startFor(0, fox)).toEqual(create);
		expect(laterTry(context, { runIndex: 11 }).startFor(0, fox)).toEqual(resume);
		expect(laterTry(context, { runIndex: 2 }).startFor(0, fox)).toEqual(resume);
	});

	test.each([undefined, null, 'text', 7, [], { videogenTasks: 'x' }, { videogenTasks: null }])(
		'does not trip over what else may lie there: %j',
		(odd) => {
			const kept: IDataObject = { videogenTasks: JSON.parse(JSON.stringify(odd ?? null)) };
			expect(laterTry(kept).startFor(0, fox)).toEqual(create);
		},
	);
});
