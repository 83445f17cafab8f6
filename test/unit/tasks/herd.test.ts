import { once } from 'node:events';
import { inspect } from 'node:util';
import {
	CreateThrottles,
	MAX_CREATES_AT_ONCE,
} from '../../../nodes/Videogen/tasks/createThrottles';
import type { Throttle } from '../../../nodes/Videogen/tasks/throttle';
import { VirtualClock } from '../../programs/support/clocks';
import {
	type FakeServiceOptions,
	onCreates,
	status,
	timesOf,
} from '../../programs/support/fakeService';
import {
	createJob,
	entryOf,
	MINUTE,
	type Outcome,
	outcomeOf,
	Scene,
	type SceneSettings,
	type Wait,
	WAIT,
} from '../../programs/support/waitingRun';

const PLACES = 3;
const SECOND = 1_000;

/** A service of few places that always asks to come back after a second. */
const busy = (more: FakeServiceOptions = {}): FakeServiceOptions => ({
	latencyMs: 50,
	maxUnfinished: PLACES,
	askedWhenFull: SECOND,
	percent: (share) => Math.floor(100 * share),
	...more,
});

interface Execution extends SceneSettings {
	wait?: Wait;
	/** When it begins. */
	atMs?: number;
}

/** Executions of one video each, all in one process. */
async function herd(scene: Scene, executions: Execution[]): Promise<Outcome[]> {
	return await Promise.all(
		executions.map(async ({ wait = WAIT, atMs = 0, ...settings }, index) => {
			if (atMs > 0) await scene.clock.sleep(atMs);
			const entry = entryOf(createJob(`video ${index}`, wait), index);
			await scene.advance([entry], settings);
			return outcomeOf(entry);
		}),
	);
}

const alike = (count: number, settings: Execution = {}): Execution[] =>
	Array.from({ length: count }, () => settings);

const kinds = (outcomes: Outcome[]) => [...new Set(outcomes.map(({ kind }) => kind))];

describe('many executions at one service', () => {
	test.each([
		{ videos: 30, seconds: 4, latencyMs: 5 },
		{ videos: 30, seconds: 4, latencyMs: 200 },
		{ videos: 60, seconds: 8, latencyMs: 5 },
		{ videos: 60, seconds: 8, latencyMs: 200 },
		{ videos: 30, seconds: 60, latencyMs: 50, most: 4 },
	])('are fast and ask seldom: %j', async ({ videos, seconds, latencyMs, most = 3.5 }) => {
		const scene = new Scene(busy({ latencyMs, durationMs: seconds * SECOND }));
		expect(kinds(await herd(scene, alike(videos)))).toEqual(['done']);
		expect(scene.service.tasks).toHaveLength(videos);
		expect(scene.service.creates.length / videos).toBeLessThanOrEqual(most);
		const idealMs = Math.ceil(videos / PLACES) * seconds * SECOND;
		expect(scene.clock.now() / idealMs).toBeLessThanOrEqual(1.25);
	});

	test('go out some at a time where the service takes them all', async () => {
		const scene = new Scene({ latencyMs: 500, durationMs: 4 * SECOND });
		await herd(scene, alike(200));
		const times = timesOf(scene.service.creates);
		const first = times.filter((atMs) => atMs === 0);
		expect(first).toHaveLength(MAX_CREATES_AT_ONCE);
		expect(times.at(-1)).toBe((200 / MAX_CREATES_AT_ONCE - 1) * 500);
	});

	test('ask less and less often while nothing moves, and never before the time asked for', async () => {
		const scene = new Scene(busy({ latencyMs: 0, durationMs: 5 * MINUTE, maxUnfinished: 0 }));
		const wait = { ...WAIT, timeoutMs: 2 * MINUTE };
		expect(kinds(await herd(scene, alike(20, { wait })))).toEqual(['notCreated']);
		const times = [...new Set(timesOf(scene.service.creates).map(Math.round))];
		const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
		expect(gaps[0]).toBe(SECOND);
		expect(gaps.at(-1)).toBe(10 * SECOND);
		expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
		expect(times.length).toBeLessThan(20);
	});

	test('ask sooner again as soon as a task is finished', async () => {
		const scene = new Scene(busy({ latencyMs: 0, durationMs: 5 * MINUTE, maxUnfinished: 1 }));
		await herd(scene, alike(2));
		const [first, second] = scene.service.tasks;
		const noticedAt = scene.service.reads.find(({ atMs }) => atMs >= (first?.finalMs ?? 0))?.atMs;
		expect(second?.createdMs).toBeLessThanOrEqual((noticedAt ?? 0) + SECOND);
	});

	test('leave the others alone when one is stopped while all wait for it', async () => {
		const scene = new Scene(busy({ durationMs: 20 * SECOND, maxUnfinished: 1 }));
		const stopped = new AbortController();
		void scene.clock.sleep(10 * SECOND).then(() => stopped.abort());
		const executions = [...alike(2), { signal: stopped.signal }, ...alike(2)];
		const outcomes = await herd(scene, executions);
		expect(outcomes.splice(2, 1)).toEqual([{ kind: 'notStarted' }]);
		expect(kinds(outcomes)).toEqual(['done']);
	});

	test.each([
		['rejects the key', status(401)],
		['refuses the request', status(400)],
		['breaks down', status(500)],
	])('leave the others alone when the service %s of one', async (_what, error) => {
		const scene = new Scene(
			busy({
				durationMs: 4 * SECOND,
				error: onCreates(({ request }) => (request === 'video 4' ? error : undefined)),
			}),
		);
		const outcomes = await herd(scene, alike(9));
		expect(outcomes.splice(4, 1)).toMatchObject([{ kind: 'notCreated', error }]);
		expect(kinds(outcomes)).toEqual(['done']);
	});

	test('wait no longer for a create that hangs than half a minute', async () => {
		const scene = new Scene(busy({ durationMs: 4 * SECOND, maxUnfinished: 1 }));
		const create = scene.service.create.bind(scene.service);
		jest.spyOn(scene.service, 'create').mockImplementation(async (request) => {
			// The first that is sent again: all others wait for what it is answered.
			const hangs = request === 'video 1' && scene.clock.now() > 0;
			if (hangs) await scene.clock.sleep(5 * MINUTE);
			return await create(request);
		});
		const ended: number[] = [];
		const complete = async () => void ended.push(scene.clock.now());
		expect(kinds(await herd(scene, alike(4, { complete })))).toEqual(['done']);
		expect(ended.filter((atMs) => atMs < MINUTE)).toHaveLength(3);
	});

	test('each give up when their own time is up, not that of another', async () => {
		const scene = new Scene(busy({ maxUnfinished: 0 }));
		const atMs = 9 * MINUTE;
		const ended: number[] = [];
		const complete = async (index: number) => void (ended[index] = scene.clock.now());
		const wait = { ...WAIT, timeoutMs: 10 * MINUTE };
		const outcomes = await herd(scene, [
			{ wait, complete },
			{ wait, atMs, complete },
		]);
		expect(outcomes).toMatchObject(
			Array(2).fill({ kind: 'notCreated', error: status(429, SECOND) }),
		);
		expect(ended.map((ms) => Math.floor(ms / MINUTE))).toEqual([10, 19]);
	});

	test('with another key know nothing of each other', async () => {
		const scene = new Scene(busy({ durationMs: 5 * MINUTE, maxUnfinished: 1 }));
		const other = { apiKey: 'another key', atMs: 2 * MINUTE + 1 };
		await herd(scene, [...alike(5), other]);
		const asked = scene.service.creates.find(({ request }) => request === 'video 5');
		expect(asked?.atMs).toBe(other.atMs);
	});
});

describe('what executions share', () => {
	const service = { baseUrl: 'https://service.test', apiKey: 'secret-key' };

	test('is forgotten when the last of them has ended, however it ended', async () => {
		const throttles = new CreateThrottles(new VirtualClock());
		const end = new AbortController();
		const itself = async (throttle: Throttle) => throttle;
		const last = throttles.use(service, async () => {
			await once(end.signal, 'abort');
			throw new Error('It broke');
		});
		const shared = await throttles.use(service, itself);
		expect(await throttles.use(service, itself)).toBe(shared);
		end.abort();
		await expect(last).rejects.toThrow('It broke');
		expect(await throttles.use(service, itself)).not.toBe(shared);
	});

	test('is the same for the same service and key alone, and holds no key', async () => {
		const throttles = new CreateThrottles(new VirtualClock());
		await throttles.use(service, async (throttle) => {
			const others = [
				{ ...service },
				{ ...service, apiKey: 'other-key' },
				{ ...service, baseUrl: 'https://other.test' },
			];
			const isSame = others.map(
				async (other) => await throttles.use(other, async (its) => its === throttle),
			);
			expect(await Promise.all(isSame)).toEqual([true, false, false]);
			expect(inspect(throttles, { depth: null })).not.toContain(service.apiKey);
		});
	});
});
