import fc from 'fast-check';
import { type Item, taskIdOf } from '../../../nodes/Videogen/work/order';
import {
	createItem,
	createItems,
	endOf,
	readItem,
	resumedItem,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

/** Runs items and aborts them at a moment of the scene's clock. */
async function runAborted(
	scene: Scene,
	items: Parameters<Scene['run']>[0],
	abortMs: number,
	settings: Parameters<Scene['run']>[1] = {},
): Promise<Item[]> {
	const controller = new AbortController();
	const run = scene.run(items, { ...settings, signal: controller.signal });
	await scene.clock.sleep(abortMs);
	controller.abort();
	return await run;
}

const callsAfter = (scene: Scene, atMs: number): number =>
	scene.service.calls.filter((call) => call.atMs > atMs).length;

describe('stopping a run', () => {
	test('before it begins sends nothing', async () => {
		const scene = new Scene();
		const { id } = scene.service.add('old');
		const ended = await scene.run(
			[createItem('a'), readItem(id), readItem(id, WAIT), resumedItem(id, 'old')],
			{ signal: AbortSignal.abort() },
		);
		expect(endsOf(ended)).toEqual(['stopped', 'timeout', 'timeout', 'timeout']);
		expect(ended.map(({ order }) => taskIdOf(order))).toEqual([undefined, id, id, id]);
		expect(scene.service.calls).toEqual([]);
		expect(scene.clock.sleeping).toBe(0);
	});

	test('does not wait for the answers of reads', async () => {
		const scene = new Scene({ durationMs: Infinity, latencyMs: 20_000 });
		const { id } = scene.service.add('old');
		const ended = await runAborted(scene, [readItem(id, WAIT)], 1_000);
		expect(endsOf(ended)).toEqual(['timeout']);
		expect(scene.clock.now()).toBe(1_000);
	});

	test('at any moment settles all, leaves no sleep and tells of every id', async () => {
		const scenes = fc.record({
			abortMs: fc.integer({ min: 0, max: 90_000 }),
			latencyMs: fc.constantFrom(0, 100, 3_000),
			count: fc.integer({ min: 1, max: 60 }),
			maxUnfinished: fc.integer({ min: 1, max: 30 }),
			limited: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async ({ abortMs, count, maxUnfinished, limited, latencyMs }) => {
				const scene = new Scene({
					latencyMs,
					durationMs: 25_000,
					...(limited && { maxUnfinished: 4 }),
				});
				const ended = await runAborted(scene, createItems(count), abortMs, {
					maxConcurrentTasks: maxUnfinished,
				});
				const endMs = scene.clock.now();
				expect(ended).toHaveLength(count);
				expect(callsAfter(scene, abortMs)).toBe(0);
				expect(endMs - abortMs).toBeLessThanOrEqual(latencyMs);
				expect(scene.told.flat().sort()).toEqual(scene.service.tasks.map(({ id }) => id).sort());
				for (const [index, item] of ended.entries()) {
					const hasTask = scene.service.tasksOf(`item ${index}`).length > 0;
					expect(endOf(item) === 'stopped').toBe(!hasTask);
				}
				await scene.clock.sleep(latencyMs + 1);
				expect(scene.clock.sleeping).toBe(0);
			}),
		);
	});
});

describe('an end that ends the run', () => {
	test('leaves the other tasks with what is known of them, at that moment', async () => {
		const scene = new Scene({
			durationMs: (request) => (request === 'item 2' ? 9_000 : 60_000),
			ending: (request) => (request === 'item 2' ? 'failed' : 'completed'),
		});
		const ended = await scene.run(createItems(6), {
			maxConcurrentTasks: 4,
			endsRun: (item) => endOf(item) === 'failed',
		});
		expect(endsOf(ended)).toEqual([
			...['timeout', 'timeout', 'failed', 'timeout', 'stopped', 'stopped'],
		]);
		const seenMs = Math.max(
			...scene.service.reads.filter(({ request }) => request === 'item 2').map((r) => r.atMs),
		);
		expect(scene.clock.now()).toBe(seenMs);
		expect(callsAfter(scene, seenMs)).toBe(0);
		expect(scene.clock.sleeping).toBe(0);
	});

	test('is told of each item as it has its end', async () => {
		const told: string[] = [];
		const scene = new Scene({ durationMs: (request) => 5_000 * Number(request.at(-1)) });
		await scene.run(createItems(4), {
			endsRun: (item) => {
				told.push(`${item.index} ${endOf(item)}`);
				return item.index === 2;
			},
		});
		expect(told).toEqual(['0 completed', '1 completed', '2 completed', '3 timeout']);
	});
});
