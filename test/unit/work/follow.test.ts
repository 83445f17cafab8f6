import { follow, type TaskJob } from '../../../nodes/Videogen/work/follow';
import {
	type Followed,
	nextStep,
	type Step,
	withError,
	withRecord,
} from '../../../nodes/Videogen/work/nextStep';
import type { Outcome, ReadPlan } from '../../../nodes/Videogen/work/session';
import { orderOf, planOf, taskOf } from '../../support/orders';
import {
	serviceErrorOf,
	noReply,
	record,
	refusal,
	WorkScene,
	type Script,
	VIDEO,
} from '../../support/work';

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
		[
			'an outage, near the end',
			500,
			200,
			at(200.5),
			{ wait: { deadlineAt: 200.5 * SECOND, intervalMs: 5 * SECOND } },
		],
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

/** A task that exists, for which an item waits for five minutes unless said otherwise. */
const jobOf = (timeoutMs = 300 * SECOND, intervalMs = 5 * SECOND): TaskJob => ({
	do: 'read',
	plan: planOf('A fox', { wait: { timeoutMs, intervalMs } }),
	order: orderOf({ is: 'task', by: ['1'], taskId: 'task_1' }),
});

const LOOK: ReadPlan = { do: 'read', index: 0, simplify: true, taskId: 'task_1' };

describe('following a task', () => {
	interface Given {
		job?: TaskJob;
		closedMs?: number;
	}

	/** Follows one of which nothing is known, and says when it was read. */
	async function following(toReads: Script, { job = jobOf(), closedMs }: Given = {}) {
		const scene = new WorkScene({ toReads });
		const { reads } = scene.session.gates;
		if (closedMs) reads.refused(serviceErrorOf(refusal(429, { retryAfterMs: closedMs })), 0);
		const { task, failure }: Outcome = await follow(scene.session, job);
		const now = scene.clock.now() / SECOND;
		scene.stop.abort();
		return { scene, now, task, kind: failure?.kind, readAt: scene.readAt };
	}

	test('reads until it has ended, and writes that into its order', async () => {
		const script = [record('queued'), refusal(500), noReply(), record('completed', VIDEO)];
		const job = jobOf();
		const { scene, task, kind, readAt } = await following(script, { job });
		expect([kind, task?.status, readAt]).toEqual([undefined, 'completed', '0 5 6 8']);
		expect(job).toMatchObject({ order: { state: { is: 'task', task } } });
		expect(scene.session.creating.isKeyAccepted).toBe(true);
		expect(scene.session.gates.reads.refusal).toBeUndefined();
		expect(scene.service.reads[1]).toEqual({ atMs: 5_000, id: 'task_1', atMostMs: 295_000 });
	});

	test('reads at the deadline once more, and gives that read 5 s', async () => {
		const { scene, kind, readAt } = await following([record('queued')], { job: jobOf(7_000) });
		expect([kind, readAt]).toEqual(['timeout', '0 5 7']);
		expect(scene.service.reads.at(-1)?.atMostMs).toBe(5_000);
	});

	test('ends soon after the deadline where no turn comes', async () => {
		const { kind, now, readAt } = await following([], { closedMs: 3_600_000 });
		expect([kind, now, readAt]).toEqual(['timeout', 301, '']);
	});

	test('gives its turn back where it comes together with Stop', async () => {
		const { session, stop, clock } = new WorkScene();
		const { reads } = session.gates;
		const { signal: never } = new AbortController();
		let leave = (): void => undefined;
		const left = new Promise<void>((resolve) => (leave = resolve));
		// The scene's gate lets three in at once.
		const others = [1, 2, 3].map(async () => {
			await reads.inTurn(never, Infinity, async () => await left);
		});
		const followed = follow(session, { do: 'read', plan: LOOK });
		await clock.rest();
		leave();
		stop.abort();
		expect((await followed).failure?.kind).toBe('stopped');
		await Promise.all(others);
		const turn = reads.inTurn(never, Infinity, async () => await Promise.resolve('a turn'));
		expect(await Promise.race([turn, clock.rest().then(() => 'none')])).toBe('a turn');
	});
});
