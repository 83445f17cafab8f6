import {
	type Decision,
	decide,
	next,
	type OrderEvent,
	refusalOf,
	type State,
} from '../../../nodes/Videogen/work/order';
import { failureOf, orderOf, taskOf } from '../../support/orders';

const by = ['1'];
const taskId = 'task_1';
const task = taskOf('processing');
const later = taskOf('queued', { id: 'task_2' });
const ended = taskOf('failed');
const refusal = failureOf('noAnswer');
const failure = failureOf('failed');

const NEW: State = { is: 'new', by: [] };
const FIRST: State = { is: 'sent', by, mayExist: false };
const AGAIN: State = { is: 'sent', by, mayExist: true, refusal };
const NAMED: State = { ...AGAIN, taskId };
const TASK: State = { is: 'task', by, taskId, task };
const FAILED: State = { is: 'failed', by, taskId, failure, task: ended };
const FINAL: State = { ...FAILED, is: 'final' };
const REFUSED: State = { is: 'final', by, failure };
const ENDED = [FAILED, FINAL, REFUSED];

describe('what is done with an order that is asked for again', () => {
	test.each<[Decision, Decision, Decision, string, State]>([
		['create', 'create', 'create', 'new', NEW],
		['refuse', 'refuse', 'create', 'sent', FIRST],
		['refuse', 'refuse', 'create', 'sent and unclear', AGAIN],
		['refuse', 'read', 'read', 'sent, and a task was named', NAMED],
		['read', 'read', 'read', 'task', TASK],
		['anew', 'anew', 'anew', 'failed', FAILED],
		['same', 'anew', 'anew', 'final', FINAL],
		['same', 'anew', 'anew', 'final for its content', REFUSED],
	])(
		'by itself %s, by a person %s or, resending, %s: %s',
		(...[own, person, resending, , state]) => {
			expect([decide(state, '1', false), decide(state, '1', true)]).toEqual([own, own]);
			expect([decide(state, '2', false), decide(state, '2', true)]).toEqual([person, resending]);
			// Neither is a person who has sent it as well.
			const shared: State = 'by' in state ? { ...state, by: ['1', '2', '3'] } : state;
			expect(['1', '2', '3'].map((id) => decide(shared, id, true))).toEqual([own, own, own]);
		},
	);
});

describe('what an event makes of an order', () => {
	const send: OrderEvent = { type: 'send', by: '2' };
	const unclear: OrderEvent = { type: 'unclear', refusal };
	const named: OrderEvent = { ...unclear, taskId: 'task_2' };
	const no: OrderEvent = { type: 'no' };
	const content: OrderEvent = { type: 'no', content: failure };
	const end: OrderEvent = { type: 'ended', by: '2', is: 'failed', failure, task: ended };
	const OTHERWISE: State = { ...AGAIN, refusal: failure };
	const later2: State = { is: 'task', by, taskId: 'task_2', task: later };

	test.each<[string, State, OrderEvent, State]>([
		['the first send', NEW, send, { is: 'sent', by: ['2'], mayExist: false }],
		['another send', FIRST, send, { is: 'sent', by: ['1', '2'], mayExist: true }],
		['a resend', AGAIN, send, { ...AGAIN, by: ['1', '2'] }],
		['a resend of one that named a task', NAMED, send, { ...NAMED, by: ['1', '2'] }],
		['its own resend', AGAIN, { ...send, by: '1' }, AGAIN],
		['a resend of one of two', { ...AGAIN, by: ['2', '1'] }, send, { ...AGAIN, by: ['1', '2'] }],
		['a task', FIRST, { type: 'created', task }, TASK],
		['a task after a resend', AGAIN, { type: 'created', task }, TASK],
		['another task than was named', NAMED, { type: 'created', task: later }, later2],
		['the record of the task that was named', NAMED, { type: 'read', task }, TASK],
		['a later record', { ...TASK, task: undefined }, { type: 'read', task }, TASK],
		['no clear answer', FIRST, unclear, AGAIN],
		['the name of a task', FIRST, named, { ...AGAIN, taskId: 'task_2' }],
		['no name after a name', NAMED, unclear, NAMED],
		['another name', NAMED, named, NAMED],
		['another unclear answer', AGAIN, { ...unclear, refusal: failure }, OTHERWISE],
		['a no', FIRST, no, { is: 'new', by }],
		['a no for its content', FIRST, content, REFUSED],
		['an end', TASK, end, { ...FAILED, by: ['1', '2'] }],
		['an end for its content', TASK, { ...end, is: 'final', by: '1' }, FINAL],
		['an end of a task that was named', NAMED, end, { ...FAILED, by: ['1', '2'] }],
		['another end', FINAL, end, { ...FAILED, by: ['1', '2'] }],
	])('%s', (_what, before, event, expected) => {
		const copy = structuredClone(before);
		expect(next(before, event)).toEqual(expected);
		expect(before).toEqual(copy);
	});

	test.each<[string, OrderEvent, State[]]>([
		['a read, once it has ended or is known not to exist', { type: 'read', task }, [NEW, ...ENDED]],
		['an unclear answer, once the task is known', named, [NEW, TASK, ...ENDED]],
		['a no to a later send', no, [NEW, AGAIN, NAMED, TASK, ...ENDED]],
		['a no for its content to a later send', content, [NEW, AGAIN, NAMED, TASK, ...ENDED]],
	])('nothing: %s', (_what, event, states) => {
		for (const state of states) expect(next(state, event)).toBe(state);
	});
});

test.each([
	[8_192, true],
	[8_193, false],
])('a record of %d characters is kept: %s', (size, isKept) => {
	const empty = JSON.stringify(taskOf('queued', { words: '' })).length;
	const record = taskOf('queued', { words: 'x'.repeat(size - empty) });
	const kept = isKept ? record : undefined;
	const created = next(FIRST, { type: 'created', task: record });
	expect(created).toEqual({ ...TASK, task: kept });
	expect(next(NAMED, { type: 'read', task: record })).toEqual(created);
	const end = { type: 'ended', by: '1', is: 'failed', failure, task: record } as const;
	expect(next(created, end)).toEqual({ ...FAILED, task: kept });
});

test('a refusal repeats what is known, and otherwise that a video may exist', () => {
	const refusals = [AGAIN, FAILED, FIRST, NEW].map((state) => refusalOf(orderOf(state)));
	expect(refusals.slice(0, 2)).toEqual([refusal, failure]);
	for (const { message } of refusals.slice(2)) expect(message).toContain('was not sent again');
});
