import type { Order, State } from '../../../nodes/Videogen/work/order';
import { decide, type Known, RANK, whatIsKnown } from '../../../nodes/Videogen/work/orderedBefore';
import { orderOf, runningAs, taskOf } from '../../programs/support/orders';

/** What was ordered before (docs/billing-and-retries.md), a row of that table each; the order of a create `A fox`. */

const taskId = 'task_1';
const results = ['https://e.com/fox.mp4'];
const completed = (more: object = { results }) => taskOf(taskId, 'completed', more);
const fault = (kind: 'moderation' | 'refused' | 'download' | 'timeout' | 'stopped' | 'invalid') =>
	({ is: 'error', fault: { kind, message: '', description: '' } }) as const;
const failed = (word: string, error?: object, hadVideo = false): State => ({
	...{ is: 'failed', taskId, hadVideo },
	task: taskOf(taskId, word, { error }),
});
const isNew: State = { is: 'new' };

type Case = [
	what: string,
	order: Partial<Order>,
	known: Known,
	automatic: string,
	person: string,
	/** The same where an unanswered request may be sent again. */
	automaticResend?: string,
	personResend?: string,
];

const CONTENT = { code: 'content_policy_violation' };

const CASES: Case[] = [
	['unfinished', { state: runningAs(taskOf(taskId)) }, 'task', 'read', 'read'],
	['its id alone', { state: { is: 'running', taskId } }, 'task', 'read', 'read'],
	['completed', { state: { is: 'completed', taskId, task: completed() } }, 'task', 'read', 'read'],
	[
		'not in time',
		{ state: { ...fault('timeout'), taskId, task: taskOf(taskId) } },
		'task',
		'read',
		'read',
	],
	[
		'completed, its file missing',
		{ state: { ...fault('download'), taskId, task: completed() } },
		'task',
		'read',
		'read',
	],
	[
		'unanswered',
		{ state: isNew, mayExist: {} },
		'mayExist',
		'refuse',
		'refuse',
		'resend',
		'resend',
	],
	[
		'unanswered, and refused since',
		{ state: fault('refused'), mayExist: {} },
		...(['mayExist', 'refuse', 'refuse', 'resend', 'resend'] as const),
	],
	[
		'unanswered, and refused for its content since',
		{ state: fault('refused'), mayExist: { isContentRefused: true } },
		...(['mayExist', 'refuse', 'refuse', 'repeat', 'resend'] as const),
	],
	['named by an answer', { state: isNew, mayExist: { taskId } }, 'mayExist', 'refuse', 'refuse'],
	['refused for its content', { state: fault('moderation') }, 'final', 'repeat', 'anew'],
	['failed for its content', { state: failed('failed', CONTENT) }, 'final', 'repeat', 'anew'],
	['cancelled', { state: failed('cancelled') }, 'final', 'repeat', 'anew'],
	[
		'expired with its video',
		{ state: failed('expired', undefined, true) },
		'final',
		'repeat',
		'anew',
	],
	['expired without a video', { state: failed('expired') }, 'ended', 'anew', 'anew'],
	[
		'completed without any result',
		{ state: { ...fault('download'), taskId, task: completed({}) } },
		...(['final', 'repeat', 'anew'] as const),
	],
	['failed otherwise', { state: failed('failed', { code: 'busy' }) }, 'ended', 'anew', 'anew'],
	[
		'failed, with a video that did not fit',
		{ state: failed('failed', undefined, true) },
		...(['ended', 'anew', 'anew'] as const),
	],
	['refused otherwise', { state: fault('refused') }, 'unsent', 'send', 'send'],
	['invalid', { state: fault('invalid') }, 'unsent', 'send', 'send'],
	['stopped', { state: fault('stopped') }, 'unsent', 'send', 'send'],
	['new', { state: isNew }, 'unsent', 'send', 'send'],
];

test.each(CASES)(
	'an order %s is known as such, and what is done goes by who asks',
	(_what, more, known, automatic, person, ...resend) => {
		const order = orderOf('A fox', more);
		expect(whatIsKnown(order)).toBe(known);
		const [automaticResend = automatic, personResend = person] = resend;
		expect([
			decide(order, { known, byPerson: false, mayResend: false }),
			decide(order, { known, byPerson: true, mayResend: false }),
			decide(order, { known, byPerson: false, mayResend: true }),
			decide(order, { known, byPerson: true, mayResend: true }),
		]).toEqual([automatic, person, automaticResend, personResend]);
	},
);

describe('an order that another run has in hand', () => {
	test.each([isNew, fault('refused')])('is waited for, by everybody: %j', (state) => {
		const order = orderOf('A fox', { state, mayExist: {} });
		expect(whatIsKnown(order, true)).toBe('underWay');
		for (const byPerson of [false, true]) {
			for (const mayResend of [false, true]) {
				expect(decide(order, { known: 'underWay', byPerson, mayResend })).toBe('await');
			}
		}
	});

	test.each<[State, Known]>([
		[runningAs(taskOf(taskId)), 'task'],
		[failed('failed'), 'ended'],
		[failed('cancelled'), 'final'],
	])('is not waited for where its task says more: %j', (state, known) => {
		expect(whatIsKnown(orderOf('A fox', { state }), true)).toBe(known);
	});
});

test('of several orders, a task comes first, then those being sent, then those that may exist', () => {
	const { task, underWay, mayExist, ...others } = RANK;
	expect([task, underWay, mayExist]).toEqual([0, 1, 2]);
	expect(Object.values(others)).toEqual([3, 3, 3]);
});
