import {
	type Followed,
	nextStep,
	type Step,
	withError,
	withRecord,
} from '../../../nodes/Videogen/work/nextStep';
import { taskOf } from '../../support/orders';
import { noReply, refusal, serviceErrorOf } from '../../support/work';

const [SECOND, MINUTE] = [1_000, 60_000];

/** A task that is waited for since 100 s, until 400 s. */
const knownOf = (more: Partial<Followed> = {}): Followed => ({
	sinceAt: 100 * SECOND,
	wait: { deadlineAt: 400 * SECOND, intervalMs: 5 * SECOND },
	isCreated: false,
	reports: [],
	...more,
});

const failing = (status: number, sinceAt: number, more = {}): Followed['failing'] => ({
	error: serviceErrorOf(refusal(status)),
	firstAt: sinceAt * SECOND,
	sinceAt: sinceAt * SECOND,
	count: 1,
	nextAt: (sinceAt + 1) * SECOND,
	...more,
});
const at = (seconds: number): Step => ({ readAt: seconds * SECOND });
const unawaited = { wait: undefined };
const briefly = { deadlineAt: 200.5 * SECOND, intervalMs: 5 * SECOND };

describe('the next step', () => {
	test.each<[string, Partial<Followed>, seconds: number, Step]>([
		['of a task of which nothing is known', {}, 100, at(100)],
		['of one in its last moment', {}, 400, at(400)],
		['of one after that', {}, 400.001, 'timeout'],
		['of an unfinished one', { task: taskOf('queued') }, 100, at(105)],
		['of one that takes long', { task: taskOf('queued') }, 300, at(310)],
		['of one shortly before the deadline', { task: taskOf('queued') }, 399, at(400)],
		['of one that is not ready', { task: taskOf('queued') }, 400, 'timeout'],
		['of one for which nobody waits', { task: taskOf('queued'), ...unawaited }, 100, 'done'],
		['of a failed one', { task: taskOf('failed') }, 500, 'done'],
		['of a completed one', { task: taskOf('completed') }, 500, 'done'],
	])('%s (%#)', (_what, known, seconds, step) => {
		expect(nextStep(knownOf(known), seconds * SECOND, true)).toEqual(step);
	});

	interface Its extends Partial<Followed> {
		isDenied?: boolean;
		count?: number;
		nextAt?: number;
	}

	test.each<[string, status: number, seconds: number, Step, Its]>([
		['an outage', 500, 200, at(201), { isDenied: true }],
		['an outage, later', 500, 300, at(300), {}],
		['an outage, near the end', 500, 200, at(200.5), { wait: briefly }],
		['an outage to the end', 500, 400, 'timeout', {}],
		['an outage after a record', 500, 200, at(201), { task: taskOf('queued') }],
		['an outage for nobody', 500, 200, at(201), { ...unawaited, count: 2 }],
		['a third one for nobody', 500, 200, 'unread', { ...unawaited, count: 3 }],
		['a third 429 for nobody', 429, 200, at(201), { ...unawaited, count: 3 }],
		['nearly 2 min of 429 for nobody', 429, 319, at(319), unawaited],
		['2 min of 429 for nobody', 429, 320, 'unread', unawaited],
		['what stays so', 405, 200, 'unread', {}],
		['a denied key', 401, 200, 'unread', { isDenied: true }],
		['a key that is denied now', 401, 200, at(201), {}],
		['2 min of a key that is denied', 401, 320, 'unread', {}],
		['nearly 2 min of it', 401, 319, at(320), { nextAt: 330 * SECOND }],
		['10 s without a task', 404, 210, 'unread', {}],
		['nearly 10 s without a task', 404, 209, at(209), {}],
		['30 s without a task that exists', 404, 230, 'unread', { isCreated: true }],
		['nearly 30 s without it', 404, 229, at(229), { isCreated: true }],
		['no task for nobody', 404, 200, 'unread', unawaited],
		['no task for nobody, which exists', 404, 200, at(201), { ...unawaited, isCreated: true }],
	])('after %s', (_what, status, seconds, step, { isDenied = false, count, nextAt, ...its }) => {
		const more = { ...(count && { count }), ...(nextAt && { nextAt }) };
		const known = knownOf({ ...its, failing: failing(status, 200, more) });
		expect(nextStep(known, seconds * SECOND, !isDenied)).toEqual(step);
	});
});

describe('what is known after a read', () => {
	test('that returned a record is how far it is, and that it exists', () => {
		const before = knownOf({ failing: failing(500, 110) });
		const progress = [40, -5, 120, undefined];
		const known = progress.reduce(
			(one, percent) => withRecord(one, taskOf('queued', { progress: percent }), 130 * SECOND),
			before,
		);
		const reports = [40, 0, 100, 0].map((percent) => ({ atMs: 30 * SECOND, percent }));
		expect(known).toMatchObject({ task: { status: 'queued' }, isCreated: true, reports });
		expect(known.failing).toBeUndefined();
		expect(before.reports).toEqual([]);
	});

	test('that failed is since when, how many times, and when it is read again', () => {
		let known = knownOf({ wait: { deadlineAt: Infinity, intervalMs: 3 * SECOND } });
		const failures = [500, 502, 401, 429, 429, 429, 500, 500].map((status, nth) => {
			known = withError(known, serviceErrorOf(refusal(status)), nth * MINUTE, () => 1);
			const { sinceAt = 0, count, nextAt = 0 } = known.failing ?? {};
			return `${sinceAt / MINUTE},${count},${(nextAt - nth * MINUTE) / SECOND}`;
		});
		const expected = '0,1,1 0,2,2 2,3,4 3,4,8 3,5,16 3,6,30 6,7,30 6,8,30';
		expect(failures.join(' ')).toBe(expected);
	});

	test('that was limited is no sooner read again than usual', () => {
		const slow = knownOf({ wait: { deadlineAt: Infinity, intervalMs: 40 * SECOND } });
		const limited = withError(slow, serviceErrorOf(refusal(429)), 0, () => 1);
		expect(limited.failing?.nextAt).toBe(40 * SECOND);
		const lost = withError(limited, serviceErrorOf(noReply()), 0, () => 0);
		expect(lost.failing).toMatchObject({ sinceAt: 0, count: 2, nextAt: SECOND });
	});
});
