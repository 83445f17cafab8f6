import { Timer } from '../../../nodes/Videogen/shared/clock';
import {
	follow,
	type Known,
	nextStep,
	noteFailure,
	noteRecord,
	type Step,
} from '../../../nodes/Videogen/work/follow';
import { Gate } from '../../../nodes/Videogen/work/gate';
import { VirtualClock } from '../../../tools/virtualClock';
import {
	errorOf,
	late,
	noReply,
	record,
	refusal,
	type Script,
	ScriptedService,
	taskOf,
	VIDEO,
} from '../../support/work';

const [SECOND, MINUTE] = [1_000, 60_000];

/** A task that is waited for since 100 s, until 400 s. */
const knownOf = (more: Partial<Known> = {}): Known => ({
	...{ sinceAt: 100 * SECOND, deadlineAt: 400 * SECOND, intervalMs: 5 * SECOND },
	...{ needsResults: true, isCreated: false, reports: [] },
	...more,
});

const failing = (status: number, sinceAt: number, more = {}): Known['failure'] => ({
	error: errorOf(refusal(status)),
	...{ sinceAt: sinceAt * SECOND, count: 1, nextAt: (sinceAt + 1) * SECOND },
	...more,
});
const at = (seconds: number): Step => ({ readAt: seconds * SECOND });
const unawaited = { intervalMs: undefined };
const without = taskOf('completed');

describe('the next step', () => {
	test.each<[string, Partial<Known>, seconds: number, Step]>([
		['of a task of which nothing is known', {}, 100, at(100)],
		['of one in its last moment', {}, 400, at(400)],
		['of one after that', {}, 400.001, 'timeout'],
		['of an unfinished one', { task: taskOf('queued') }, 100, at(105)],
		['of one that takes long', { task: taskOf('queued') }, 300, at(310)],
		['of one shortly before the deadline', { task: taskOf('queued') }, 399, at(400)],
		['of one that is not ready', { task: taskOf('queued') }, 400, 'timeout'],
		['of one for which nobody waits', { task: taskOf('queued'), ...unawaited }, 100, 'done'],
		['of a failed one', { task: taskOf('failed') }, 500, 'done'],
		['of a video', { task: taskOf('completed', VIDEO) }, 500, 'done'],
		['of a record that is all', { task: without, needsResults: false }, 100, 'done'],
		['without results', { task: without }, 500, at(502)],
		['without results since 4 s', { task: without, emptySinceAt: 496 * SECOND }, 500, at(502)],
		['without results since 20 s', { task: without, emptySinceAt: 480 * SECOND }, 500, at(505)],
		['without results for long', { task: without, emptySinceAt: 400 * SECOND }, 500, at(510)],
		['without results, at last', { task: without, emptySinceAt: 385 * SECOND }, 500, at(505)],
		['without results to the end', { task: without, emptySinceAt: 380 * SECOND }, 500, 'noResults'],
	])('%s (%#)', (_what, known, seconds, step) => {
		expect(nextStep(knownOf(known), seconds * SECOND, true)).toEqual(step);
	});

	interface Its extends Partial<Known> {
		isDenied?: boolean;
		count?: number;
		nextAt?: number;
	}

	test.each<[string, status: number, seconds: number, Step, Its]>([
		['an outage', 500, 200, at(201), { isDenied: true }],
		['an outage, later', 500, 300, at(300), {}],
		['an outage, near the end', 500, 200, at(200.5), { deadlineAt: 200.5 * SECOND }],
		['an outage to the end', 500, 400, 'timeout', {}],
		['an outage after a record', 500, 200, at(201), { task: taskOf('queued') }],
		['an outage for nobody', 500, 200, at(201), { ...unawaited, count: 2 }],
		['a third one for nobody', 500, 200, 'unread', { ...unawaited, count: 3 }],
		['a third 429 for nobody', 429, 200, at(201), { ...unawaited, count: 3 }],
		['a 429 for nobody to the end', 429, 400, 'unread', unawaited],
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
		const failure = failing(status, 200, { ...(count && { count }), ...(nextAt && { nextAt }) });
		expect(nextStep(knownOf({ ...its, failure }), seconds * SECOND, !isDenied)).toEqual(step);
	});
});

describe('what a read came to', () => {
	test('is its record, how far it is, and that it exists', () => {
		const known = knownOf({ failure: failing(500, 110) });
		const progress = [40, -5, 120, undefined];
		progress.forEach((percent) =>
			noteRecord(known, taskOf('queued', { progress: percent }), 130 * SECOND),
		);
		expect(known.reports).toEqual(
			[40, 0, 100, 0].map((percent) => ({ atMs: 30 * SECOND, percent })),
		);
		expect(known).toMatchObject({ task: { status: 'queued' }, isCreated: true });
		expect([known.failure, known.emptySinceAt]).toEqual([undefined, undefined]);
	});

	test('is since when a completed task has no results', () => {
		const known = knownOf();
		noteRecord(known, taskOf('completed', VIDEO), 120 * SECOND);
		noteRecord(known, taskOf('failed'), 125 * SECOND);
		expect(known.emptySinceAt).toBeUndefined();
		noteRecord(known, without, 130 * SECOND);
		noteRecord(known, without, 140 * SECOND);
		expect(known.emptySinceAt).toBe(130 * SECOND);
	});

	test('is what it runs into, for how long, and when it is tried again', () => {
		const known = knownOf({ intervalMs: 3 * SECOND });
		const failures = [500, 502, 401, 429, 429, 429, 500, 500].map((status, nth) => {
			noteFailure(known, errorOf(refusal(status)), nth * MINUTE, () => 1);
			const { sinceAt = 0, count, nextAt = 0 } = known.failure ?? {};
			return `${sinceAt / MINUTE},${count},${(nextAt - nth * MINUTE) / SECOND}`;
		});
		const expected = '0,1,1 0,2,2 2,3,4 3,4,8 3,5,16 3,6,30 6,7,30 6,8,30';
		expect(failures.join(' ')).toBe(expected);
		const limited = knownOf({ intervalMs: 40 * SECOND });
		noteFailure(limited, errorOf(refusal(429)), 0, () => 1);
		expect(limited.failure?.nextAt).toBe(40 * SECOND);
		noteFailure(limited, errorOf(noReply()), 0, () => 0);
		expect(limited.failure).toMatchObject({ sinceAt: 0, count: 2, nextAt: SECOND });
	});
});

describe('following a task', () => {
	/** Follows one of which nothing is known, for 5 min, and says when it was read. */
	async function following(
		script: Script,
		{ stopAt, closedMs, ...more }: Partial<Known> & { stopAt?: number; closedMs?: number } = {},
	) {
		const clock = new VirtualClock(() => 1);
		const service = new ScriptedService(clock, [], [...script]);
		const stop = new AbortController();
		const known = knownOf({ sinceAt: 0, deadlineAt: 300 * SECOND, ...more });
		const answers: Array<string | undefined> = [];
		const tools = {
			...{ service, gate: new Gate(clock, 1) },
			timer: new Timer(clock, stop.signal),
			isAccepted: () => answers.includes(undefined),
			onAnswer: (error?: { kind: string }) => void answers.push(error?.kind),
		};
		if (closedMs) tools.gate.refused(errorOf(refusal(429, { retryAfterMs: closedMs })), 0);
		if (stopAt !== undefined) void clock.sleep(stopAt * SECOND).then(() => stop.abort());
		const end = await follow('task_1', known, tools);
		const atSeconds = service.reads.map(({ atMs }) => Math.round(atMs / 100) / 10);
		const now = clock.now();
		stop.abort();
		const isClosed = tools.gate.refusal !== undefined;
		return { end, known, answers, atSeconds, reads: service.reads, now, isClosed };
	}

	test('reads until it has ended, and reports every answer', async () => {
		const script = [record('queued'), refusal(500), noReply(), record('completed', VIDEO)];
		const { end, known, answers, atSeconds, reads, isClosed } = await following(script);
		expect([end, known.task?.status, atSeconds]).toEqual(['done', 'completed', [0, 5, 6, 8]]);
		expect(answers).toEqual([undefined, 'status', 'network', undefined]);
		expect(isClosed).toBe(false);
		expect(reads[1]).toEqual({ atMs: 5_000, id: 'task_1', atMostMs: 295_000 });
	});

	test('reads at the deadline once more, and gives that read 5 s', async () => {
		const { end, atSeconds, reads } = await following([record('queued')], { deadlineAt: 7_000 });
		expect([end, atSeconds]).toEqual(['timeout', [0, 5, 7]]);
		expect(reads.at(-1)?.atMostMs).toBe(5_000);
	});

	test('asks for late results beyond the deadline', async () => {
		const script = [record('queued'), late(6_000, record('completed')), record('completed', VIDEO)];
		const { end, atSeconds } = await following(script, { deadlineAt: 6_000 });
		expect([end, atSeconds]).toEqual(['done', [0, 5, 13]]);
	});

	test('pauses all reads after a 429', async () => {
		const asked = refusal(429, { retryAfterMs: 20_000 });
		const script = [asked, record('completed', VIDEO)];
		const { end, atSeconds, answers } = await following(script, { intervalMs: 1_000 });
		expect([end, atSeconds, answers]).toEqual(['done', [0, 20], ['status', undefined]]);
	});

	test('ends soon after the deadline where no turn comes', async () => {
		const { end, now, reads } = await following([], { closedMs: 3_600_000 });
		expect([end, now, reads]).toEqual(['timeout', 301_000, []]);
	});

	test.each<[string, Script, number, atSeconds: number[], answers: undefined[]]>([
		['between two reads', [record('queued')], 7, [0, 5], [undefined, undefined]],
		['during a read', [late(60_000, record('queued'))], 7, [0], []],
		['before the first', [], 0, [], []],
	])('ends at once with Stop %s', async (_what, script, stopAt, atSeconds, answers) => {
		const more = stopAt === 0 ? { failure: failing(500, 0) } : {};
		const followed = await following(script, { ...more, stopAt });
		expect(followed).toMatchObject({ end: 'stopped', now: stopAt * SECOND, atSeconds, answers });
	});

	test('gives its turn back where it comes together with Stop', async () => {
		const clock = new VirtualClock();
		const gate = new Gate(clock, 1);
		const stop = new AbortController();
		const timer = new Timer(clock, stop.signal);
		const service = new ScriptedService(clock, [], []);
		await gate.enter(stop.signal);
		const tools = { service, gate, timer, isAccepted: () => true, onAnswer: () => undefined };
		const following = follow('task_1', knownOf({ deadlineAt: Infinity }), tools);
		await clock.rest();
		gate.leave();
		stop.abort();
		expect(await following).toBe('stopped');
		const { signal } = new AbortController();
		expect(await Promise.race([gate.enter(signal), clock.rest().then(() => 'none')])).toBe(true);
	});
});
