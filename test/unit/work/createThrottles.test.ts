import { once } from 'node:events';
import { inspect } from 'node:util';
import { CreateThrottles } from '../../../nodes/Videogen/work/createThrottles';
import type { Throttle } from '../../../nodes/Videogen/work/throttle';
import { VirtualClock } from '../../programs/support/clocks';
import { type FakeServiceOptions, onCreates, status } from '../../programs/support/fakeService';
import { createItem, endOf, MINUTE, WAIT } from '../../programs/support/orders';
import { Scene, type SceneSettings } from '../../programs/support/workScene';

const PLACES = 3;
const SECOND = 1_000;
const COMPLETED = new Set(['completed']);

/** A service of few places that always asks to come back after a second. */
const busy = (more: FakeServiceOptions = {}): FakeServiceOptions => ({
	latencyMs: 50,
	maxUnfinished: PLACES,
	askedWhenFull: SECOND,
	percent: (share) => Math.floor(100 * share),
	...more,
});

/** Executions of one video each, all in one process. */
async function herd(scene: Scene, executions: SceneSettings[]): Promise<string[]> {
	return await Promise.all(
		executions.map(async (settings, index) =>
			endOf(await scene.runOne(createItem(`video ${index}`), settings)),
		),
	);
}

const alike = (count: number, settings: SceneSettings = {}): SceneSettings[] =>
	Array.from({ length: count }, () => settings);

describe('many executions at one service', () => {
	test.each([
		{ videos: 30, seconds: 4, latencyMs: 200 },
		{ videos: 60, seconds: 8, latencyMs: 200 },
		{ videos: 30, seconds: 60, latencyMs: 50, most: 4 },
	])('are fast and ask seldom: %j', async ({ videos, seconds, latencyMs, most = 3.5 }) => {
		const scene = new Scene(busy({ latencyMs, durationMs: seconds * SECOND }));
		expect(new Set(await herd(scene, alike(videos)))).toEqual(COMPLETED);
		expect(scene.service.tasks).toHaveLength(videos);
		expect(scene.service.creates.length / videos).toBeLessThanOrEqual(most);
		const idealMs = Math.ceil(videos / PLACES) * seconds * SECOND;
		expect(scene.clock.now() / idealMs).toBeLessThanOrEqual(1.25);
	});

	test('leave the others alone when one is stopped while all wait for it', async () => {
		const scene = new Scene(busy({ durationMs: 20 * SECOND, maxUnfinished: 1 }));
		const stopped = new AbortController();
		void scene.clock.sleep(10 * SECOND).then(() => stopped.abort());
		const executions = [...alike(2), { signal: stopped.signal }, ...alike(2)];
		const ends = await herd(scene, executions);
		expect(ends.splice(2, 1)).toEqual(['stopped']);
		expect(new Set(ends)).toEqual(COMPLETED);
	});

	test('leave the others alone when the service rejects the key of one', async () => {
		const scene = new Scene(
			busy({
				durationMs: 4 * SECOND,
				error: onCreates(({ request }) => (request === 'video 4' ? status(401) : undefined)),
			}),
		);
		const ends = await herd(scene, alike(9));
		expect(ends.splice(4, 1)).toEqual(['key']);
		expect(new Set(ends)).toEqual(COMPLETED);
	});

	test('each give up when their own time is up, not that of another', async () => {
		const scene = new Scene(busy({ maxUnfinished: 0 }));
		const ends = [0, 9 * MINUTE].map(async (beginsMs) => {
			await scene.clock.sleep(beginsMs);
			await scene.runOne(createItem('a', { ...WAIT, timeoutMs: 10 * MINUTE }));
			return Math.floor(scene.clock.now() / MINUTE);
		});
		expect(await Promise.all(ends)).toEqual([10, 19]);
	});

	test('wait no longer for a create that hangs than half a minute', async () => {
		const scene = new Scene(busy({ durationMs: 4 * SECOND, maxUnfinished: 1 }));
		const create = scene.service.create.bind(scene.service);
		jest.spyOn(scene.service, 'create').mockImplementation(async (body, orderKey) => {
			// The first that is sent again: all others wait for what it is answered.
			const hangs = body.prompt === 'video 1' && scene.clock.now() > 0;
			if (hangs) await scene.clock.sleep(5 * MINUTE);
			return await create(body, orderKey);
		});
		const ended: number[] = [];
		const note = () => void ended.push(scene.clock.now());
		expect(new Set(await herd(scene, alike(4, { ended: note })))).toEqual(COMPLETED);
		expect(ended.filter((atMs) => atMs < MINUTE)).toHaveLength(3);
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
