import { platformClock as clock, Timer } from '../../../nodes/Videogen/common/timer';
import type { Answer } from '../../../nodes/Videogen/service/answer';
import type { Service } from '../../../nodes/Videogen/service/service';
import { Throttle } from '../../../nodes/Videogen/tasks/throttle';
import { Creates } from '../../../nodes/Videogen/tasks/creates';
import { TaskStore } from '../../../nodes/Videogen/tasks/taskStore';

/** Answers to creates, in whatever order they come. */

const REQUEST = { model: 'model', prompt: 'A fox' };
const NO_ANSWER: Answer = { kind: 'error', error: { kind: 'network', reason: 'timeout' } };
const task = (id: string): Answer => ({
	kind: 'task',
	task: { id, status: 'pending', state: 'unfinished', record: { id, status: 'pending' } },
});

interface SentCreate {
	answer(answer: Answer): void;
	answerLate(answer: Answer): void;
}

/** A create without an answer in time; the person allows another one. */
async function unanswered() {
	const store = new TaskStore({ context: {}, run: 'run 0', executionId: '1' });
	const [entry] = store.begin([{ item: 0, wishes: ['a'], request: REQUEST }]);
	if (!entry) throw new Error('There is no entry');
	const sent: SentCreate[] = [];
	const throttle = new Throttle(clock, { maxAtOnce: 1, maxPauseMs: 1_000 });
	const service: Service = {
		create: async (_, answerLate = () => {}) =>
			await new Promise((answer) => void sent.push({ answer, answerLate })),
		read: async () => await Promise.reject(new Error('Nothing is read')),
	};
	const timer = new Timer(clock, new AbortController().signal);
	const creates = new Creates(service, { onCount: (more) => store.count(more) }, timer, {
		throttle,
		requestFor: () => REQUEST,
		confirm: async () => await Promise.resolve({}),
	});
	const send = async () => {
		const ended = creates.create(entry);
		await new Promise((resolve) => setImmediate(resolve));
		const create = sent.at(-1);
		if (!create) throw new Error('Nothing was sent');
		return { ...create, ended };
	};
	const first = await send();
	first.answer(NO_ANSWER);
	await first.ended;
	delete entry.outcome;
	const known = () => ({
		tasks: store.tasks().map(({ taskId }) => taskId),
		goesOnWith: entry.task?.id,
		unanswered: store.unansweredItems(),
		counted: store.newTasks,
	});
	return { first, known, sent, send, throttle, sendAgain: async () => await creates.create(entry) };
}

/** The same, and the second one is under way. */
async function sentAgain() {
	const { first, known, sent, send } = await unanswered();
	const second = await send();
	expect(sent).toHaveLength(2);
	return { first, second, known };
}

test('the late answer to a create loses no task when the next one makes another', async () => {
	const { first, second, known } = await sentAgain();
	first.answerLate(task('task_1'));
	second.answer(task('task_2'));
	await second.ended;
	expect(known()).toEqual({
		tasks: ['task_1', 'task_2'],
		goesOnWith: 'task_2',
		unanswered: [],
		counted: 2,
	});
});

test('nor does one that comes after the task of the next one', async () => {
	const { first, second, known } = await sentAgain();
	second.answer(task('task_2'));
	await second.ended;
	first.answerLate(task('task_1'));
	expect(known()).toEqual({
		tasks: ['task_1', 'task_2'],
		goesOnWith: 'task_2',
		unanswered: [],
		counted: 2,
	});
});

test('a late answer says nothing of a create after it that gets none', async () => {
	const { first, second, known } = await sentAgain();
	first.answerLate(task('task_1'));
	second.answer(NO_ANSWER);
	await second.ended;
	expect(known()).toMatchObject({ tasks: ['task_1'], goesOnWith: 'task_1', unanswered: [0] });
});

test('a late refusal leaves what is known as it is', async () => {
	const { first, second, known } = await sentAgain();
	const refusal = { kind: 'status', status: 400, isJson: true } as const;
	first.answerLate({ kind: 'error', error: refusal });
	second.answer(NO_ANSWER);
	await second.ended;
	expect(known()).toEqual({ tasks: [], goesOnWith: undefined, unanswered: [0], counted: 2 });
});

test('one that comes while the next one waits for its turn makes that needless', async () => {
	const { first, known, sent, throttle, sendAgain } = await unanswered();
	const error = { kind: 'status', status: 429, isJson: true, retryAfterMs: 600 } as const;
	throttle.slowDown(clock.now(), error);
	const again = sendAgain();
	first.answerLate(task('task_1'));
	expect(await again).toEqual(expect.any(Number));
	expect(sent).toHaveLength(1);
	expect(known()).toEqual({ tasks: ['task_1'], goesOnWith: 'task_1', unanswered: [], counted: 1 });
});
