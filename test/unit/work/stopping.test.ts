import { taskIdOf } from '../../../nodes/Videogen/work/order';
import {
	createItem,
	createItems,
	endOf,
	readItem,
	resumedItem,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

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
});
