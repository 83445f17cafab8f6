import { ItemFile } from '../../../nodes/Videogen/files/inputs';
import { InvalidParameter, NOTHING_CREATED } from '../../../nodes/Videogen/shared/messages';
import type { Answer } from '../../../nodes/Videogen/service/types';
import { createTask } from '../../../nodes/Videogen/work/create';
import { type Order, type State, taskIdOf } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, CreateJob, Result } from '../../../nodes/Videogen/work/session';
import { askedFor, orderOf, planOf } from '../../support/orders';
import {
	kindsOf,
	late,
	noReply,
	record,
	refusal,
	WorkScene,
	type Script,
} from '../../support/work';

const [CREATED, FULL, REFUSED] = [record('queued'), refusal(429), refusal(400)];
const [DENIED, OUT] = [refusal(401), noReply('connectionRefused')];
const NAMING = refusal(500, { namedTaskId: 'task_1' });
const BLOCKED = refusal(400, { code: 'content_policy' });
const fullFor = (retryAfterMs: number) => refusal(429, { retryAfterMs });
const HOUR = 3_600_000;

const NEW: State = { is: 'new', by: [] };
const SENT: State = { is: 'sent', by: ['1'], mayExist: true };

/** An item with an order that is created. */
const jobOf = (order: Partial<Order> = {}, plan: Partial<CreatePlan> = {}): CreateJob => ({
	do: 'create',
	plan: planOf('A fox', plan),
	order: orderOf(NEW, order),
});

/** An item whose file is read like this before its request is sent. */
function jobWithFile(state: State, url: () => Promise<string>): CreateJob {
	const { request } = askedFor();
	const asked = askedFor('A fox', { request: { ...request, image_urls: ['n8n-file:a'] } });
	const file = new ItemFile('n8n-file:a', 'image/png', url, { displayName: 'Image' }, 0);
	return jobOf({ asked, state }, { files: [file] });
}

/** One run of the node that only creates. */
class Creates extends WorkScene {
	async create(...jobs: CreateJob[]): Promise<Result[]> {
		const creating = jobs.map(async (job) => ({
			job,
			outcome: await createTask(this.session, job),
		}));
		return await Promise.all(creating);
	}

	/** Which keys were sent, and when. */
	get keys(): string {
		return this.service.creates.map(({ atMs, key }) => `${key} at ${atMs / 1_000}`).join(', ');
	}
}

/** What becomes of one item alone. */
async function create(toCreates: Script, job = jobOf(), given = {}) {
	const scene = new Creates({ toCreates, executionId: '2', ...given });
	const [result] = await scene.create(job);
	const failure = result?.outcome.failure;
	return { scene, order: job.order, failure, kind: failure?.kind };
}

describe('an order whose create is answered', () => {
	const twice = 'key at 0, key at 1';
	const four = 'key at 0, key at 1, key at 3, key at 7';
	test.each<[string, State, Script, end: string, sent: string]>([
		['a task', NEW, [CREATED], 'task key', 'key at 0'],
		['429, then a task', NEW, [FULL, CREATED], 'task key', twice],
		['no answer', NEW, [noReply()], 'sent key noAnswer', 'key at 0'],
		['500', NEW, [refusal(500)], 'sent key noAnswer', 'key at 0'],
		['500 that names a task', NEW, [NAMING], 'sent key noAnswer', 'key at 0'],
		['400', NEW, [REFUSED], 'new another refused', 'key at 0'],
		['a no for content', NEW, [BLOCKED], 'final key moderation', 'key at 0'],
		['429 for 40 s', NEW, [fullFor(40_000), CREATED], 'task key', 'key at 0, key at 40'],
		['429 for less than its pause', NEW, [fullFor(500), CREATED], 'task key', twice],
		['429 for a week', NEW, [fullFor(7 * 24 * HOUR), CREATED], 'task key', 'key at 0, key at 600'],
		['429, then no answer', NEW, [FULL, noReply()], 'sent key noAnswer', twice],
		['no connection, then a task', NEW, [OUT, OUT, OUT, CREATED], 'task key', four],
		['no connection', NEW, [OUT], 'new key address', four],
		['a task, at last', SENT, [CREATED], 'task key', 'key at 0'],
		['400, after no answer', SENT, [REFUSED], 'sent key noAnswer', 'key at 0'],
	])('%s', async (_what, state, script, end, sent) => {
		const { order, failure, kind, scene } = await create(script, jobOf({ state }));
		const key = order.key === 'key' ? 'key' : 'another';
		expect([order.state.is, key, kind].filter(Boolean).join(' ')).toBe(end);
		expect(scene.keys).toBe(sent);
		expect(order.state.by.at(-1)).toBe('2');
		if (order.state.is === 'final') expect(order.state.failure).toEqual(failure);
		const isNothing = order.state.is === 'new' || order.state.is === 'final';
		expect(failure?.description.includes(NOTHING_CREATED) ?? false).toBe(isNothing);
		expect(scene.named).toEqual(taskIdOf(order) === undefined ? [] : ['0: task_1']);
	});
});

describe('it is sent again', () => {
	test.each<[string, Partial<CreatePlan>, createLimitMs: number | undefined, limitMs: number]>([
		['as long as it waits', {}, undefined, HOUR],
		['for an hour where it does not wait', { wait: undefined }, undefined, HOUR],
		['as long as a client looks on', {}, 40_000, 40_000],
	])('%s', async (_what, plan, createLimitMs, limitMs) => {
		// A second passes between a 429 and the next send.
		const kinds = [limitMs - 1_001, limitMs - 999].map(async (answeredAt) => {
			const script = [late(answeredAt, FULL), CREATED];
			return (await create(script, jobOf({}, plan), { createLimitMs })).kind;
		});
		expect(await Promise.all(kinds)).toEqual([undefined, 'rateLimited']);
	});

	test('not where others have met a longer pause', async () => {
		const scene = new Creates();
		const { creates } = scene.session.gates;
		creates.refused({ kind: 'status', status: 429, isJson: true, retryAfterMs: 4_000 }, 0);
		const wait = { intervalMs: 1, timeoutMs: 3_500 };
		const results = await scene.create(jobOf({}, { wait }));
		expect([kindsOf(results), scene.keys]).toEqual(['rateLimited', '']);
	});

	test('and says why its turn did not come: time ran out, or the run was over', async () => {
		const { failure: queued } = await create([], jobOf(), { createLimitMs: 0 });
		expect(queued?.message).toContain('still queued at the timeout');
		const { failure: over } = await create([], jobOf(), { stopAtMs: 0 });
		expect(over?.message).toContain('had already stopped');
	});

	test('with files that are read when it is its turn, not while it waits', async () => {
		const scene = new Creates({ toCreates: [late(500, CREATED), CREATED], createsAtOnce: 1 });
		const readAt: number[] = [];
		const url = async () => {
			readAt.push(scene.clock.now());
			return await Promise.resolve('data:image/png;base64,AA==');
		};
		await scene.create(jobWithFile(NEW, url), jobWithFile(NEW, url));
		expect(readAt).toEqual([0, 500]);
	});
});

describe('nothing is sent', () => {
	test.each([NEW, SENT])('of an order that has lost its file: %j', async (state) => {
		const gone = new InvalidParameter({ displayName: 'Image' }, ' is gone.', 'Upload it again.');
		const job = jobWithFile(state, async () => await Promise.reject(gone));
		const { failure, kind, order, scene } = await create([], job);
		expect([order.state, kind, scene.keys]).toEqual([state, 'invalid', '']);
		expect(failure?.description).toBe('Upload it again.');
	});

	test('after the run has ended, nor once a file was stored too late', async () => {
		const scene = new Creates();
		const stores = async () => {
			scene.stop.abort();
			return await Promise.resolve('https://e.com/a.png');
		};
		const results = [
			...(await scene.create(jobWithFile(NEW, stores))),
			...(await scene.create(jobOf(), jobOf({ state: SENT }))),
		];
		expect([kindsOf(results), scene.keys]).toEqual(['stopped stopped noAnswer', '']);
		expect(results[2]?.outcome.failure?.message).toContain('was not sent again');
	});

	test.each<[string, Script, kinds: string, isOver: boolean]>([
		['a key that is denied', [DENIED], 'key key key', true],
		['a service out of reach', [OUT], 'address address address', true],
		['a bad request', [REFUSED], 'refused refused refused', false],
		['a key that was accepted before', [CREATED, DENIED, CREATED], 'none key none', false],
	])('of those that wait, after %s: %s', async (_what, toCreates, kinds, isOver) => {
		const scene = new Creates({ toCreates, createsAtOnce: 1 });
		const results = await scene.create(jobOf(), jobOf(), jobOf());
		expect([kindsOf(results), scene.session.creating.isOver]).toEqual([kinds, isOver]);
		const { description = NOTHING_CREATED } = results[2]?.outcome.failure ?? {};
		expect(description).toContain(NOTHING_CREATED);
	});

	test('of those that wait when the run creates no more, and what has left is awaited', async () => {
		const toCreates = [late(30_000, CREATED)];
		const scene = new Creates({ toCreates, createsAtOnce: 1, stopAtMs: 1_000 });
		const wait = { intervalMs: 1, timeoutMs: 2_000 };
		const creating = scene.create(jobOf({}, { wait }), jobOf(), jobOf({ state: SENT }));
		await scene.clock.sleep(500);
		scene.session.creating.stop();
		const results = await creating;
		expect(kindsOf(results)).toBe('none stopped noAnswer');
		const states = results.map(({ job }) => job.do === 'create' && job.order.state.is);
		expect(states).toEqual(['task', 'new', 'sent']);
	});
});

test.each([REFUSED, CREATED])('the gate closes after 429 and opens with %j', async (answer) => {
	const full = late(500, FULL);
	const toCreates = [full, full, full, late(500, answer), CREATED];
	const scene = new Creates({ toCreates, createsAtOnce: 3 });
	await scene.create(...['a', 'b', 'c'].map((key) => jobOf({ key })));
	expect(scene.keys).toBe('a at 0, b at 0, c at 0, a at 1.5, b at 2, c at 2');
});

test('the gate is closed for longer with every 429 in a row, up to half a minute', async () => {
	const toCreates = [...Array<Answer>(7).fill(FULL), CREATED, FULL, CREATED];
	const scene = new Creates({ toCreates, createsAtOnce: 1 });
	await scene.create(jobOf(), jobOf());
	const sentAt = scene.service.creates.map(({ atMs }) => atMs / 1_000);
	expect(sentAt).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 91, 92]);
});
