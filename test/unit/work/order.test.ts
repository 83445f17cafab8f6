import {
	continues,
	continuesReturned,
	type Decision,
	decide,
	isOpen,
	keptTaskOf,
	next,
	type Order,
	type OrderEvent,
	refusalOf,
	secondsOf,
	type State,
	taskIdOf,
} from '../../../nodes/Videogen/work/order';
import { askedFor, failureOf, orderOf, taskOf } from '../../support/orders';

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
const ALL = [NEW, FIRST, AGAIN, NAMED, TASK, FAILED, FINAL, REFUSED];

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
	const later2: State = { is: 'task', by, taskId: 'task_2', task: later };

	test.each<[string, State, OrderEvent, State]>([
		['the first send', NEW, send, { is: 'sent', by: ['2'], mayExist: false }],
		['another send', FIRST, send, { is: 'sent', by: ['1', '2'], mayExist: true }],
		['a resend', AGAIN, send, { ...AGAIN, by: ['1', '2'] }],
		['a resend of one that named a task', NAMED, send, { ...NAMED, by: ['1', '2'] }],
		['its own resend', AGAIN, { ...send, by: '1' }, AGAIN],
		['a task', FIRST, { type: 'created', task }, TASK],
		['a task after a resend', AGAIN, { type: 'created', task }, TASK],
		['another task than was named', NAMED, { type: 'created', task: later }, later2],
		['the record of the task that was named', NAMED, { type: 'read', task }, TASK],
		['a later record', { ...TASK, task: undefined }, { type: 'read', task }, TASK],
		['no clear answer', FIRST, unclear, AGAIN],
		['the name of a task', FIRST, named, { ...AGAIN, taskId: 'task_2' }],
		['no name after a name', NAMED, unclear, NAMED],
		['another name', NAMED, named, NAMED],
		[
			'no clear answer, twice',
			AGAIN,
			{ ...unclear, refusal: failure },
			{ ...AGAIN, refusal: failure },
		],
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
		[
			'a read, once it has ended or is known not to exist',
			{ type: 'read', task },
			[NEW, FAILED, FINAL, REFUSED],
		],
		['an unclear answer, once the task is known', named, [NEW, TASK, FAILED, FINAL, REFUSED]],
		['a no to a later send', no, [NEW, AGAIN, NAMED, TASK, FAILED, FINAL, REFUSED]],
		['a no for its content to a later send', content, [NEW, AGAIN, NAMED, TASK, FAILED, FINAL]],
	])('nothing: %s', (_what, event, states) => {
		for (const state of states) expect(next(state, event)).toBe(state);
	});

	test('the latest execution stands last', () => {
		const shared: State = { ...AGAIN, by: ['1', '2'] };
		expect(next(shared, { type: 'send', by: '1' })).toEqual({ ...AGAIN, by: ['2', '1'] });
	});
});

describe('what is known of an order', () => {
	const known = (state: State) => {
		const order = orderOf(state);
		return [isOpen(order), taskIdOf(order), keptTaskOf(order)];
	};

	test('is its task, if there is one, and whether that may be under way', () =>
		expect(ALL.map(known)).toEqual([
			[false, undefined, undefined],
			[true, undefined, undefined],
			[true, undefined, undefined],
			[true, taskId, undefined],
			[true, taskId, task],
			[false, taskId, ended],
			[false, taskId, ended],
			[false, undefined, undefined],
		]));
});

describe('an item continues an order', () => {
	const [request, fields, parameters] = [
		{ requestHash: 'x' },
		{ fieldsHash: 'x' },
		{ parametersHash: 'x' },
	];
	const atPlace = (order: Order, change: object) => continues(order, askedFor('A fox', change));
	const returned = (order: Order, change: object) =>
		continuesReturned(order, askedFor('A fox', change));

	test.each<[string, object, here: boolean, whileOpen: boolean, onceEnded: boolean]>([
		['nothing', {}, true, true, true],
		['the request', request, true, true, true],
		['the fields', { ...fields, ...parameters }, true, true, true],
		['its data', { ...request, ...fields }, false, true, false],
		['everything', { ...request, ...fields, ...parameters }, false, false, false],
	])('that differs in %s', (_what, change, here, whileOpen, onceEnded) => {
		for (const state of ALL) {
			const order = orderOf(state);
			expect(atPlace(order, change)).toBe(here);
			expect(returned(order, change)).toBe(isOpen(order) ? whileOpen : onceEnded);
		}
	});
});

test('the length of videos is that of the service where none is given', () => {
	const lasting = (duration?: number) =>
		askedFor('A fox', { request: { model: 'm', prompt: 'x', duration } });
	expect(secondsOf([lasting(30), lasting(), lasting(10)])).toBe(45);
});

test('a refusal repeats what is known, and otherwise that a video may exist', () => {
	const refusals = [AGAIN, FAILED, FIRST, NEW].map((state) => refusalOf(orderOf(state)));
	expect(refusals.slice(0, 2)).toEqual([refusal, failure]);
	for (const { message } of refusals.slice(2)) expect(message).toContain('was not sent again');
});
