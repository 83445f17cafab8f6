import { type Found, type RestWorker, RestWorkers } from '../../../nodes/Videogen/run/restWorker';
import { VirtualClock } from '../../programs/support/clocks';

describe('the worker of a rest', () => {
	let clock: VirtualClock;
	let workers: RestWorkers;
	let worker: RestWorker;
	let checksMs: number[];
	let asked: number;
	beforeEach(() => {
		clock = new VirtualClock();
		workers = new RestWorkers(clock);
		worker = workers.of('one');
		checksMs = [];
		asked = 0;
	});

	/** A check that takes this long. */
	const checkOf =
		(found: Found = 'waiting', ms = 100) =>
		async () => {
			checksMs.push(clock.now());
			await clock.sleep(ms);
			return found;
		};
	const work = async (found?: Found, ms?: number) =>
		await worker.work(checkOf(found, ms), () => (asked += 1));

	test('checks once a second at most', async () => {
		for (let count = 0; count < 3; count += 1) expect(await work()).toBe('waiting');
		expect(checksMs).toEqual([0, 1_000, 2_000]);
		expect(asked).toBe(0);
	});

	test('is one for each rest', () => {
		expect(workers.of('one')).toBe(worker);
		expect(workers.of('two')).not.toBe(worker);
	});

	test('throws what its first check runs into, and checks for the next callback', async () => {
		const check = async () => await Promise.reject(new Error('no credential'));
		await expect(worker.work(check, () => {})).rejects.toThrow('no credential');
		expect(worker.isWorking).toBe(false);
		expect(await work('finished')).toBe('finished');
	});

	test('reads first what a callback calls final, then the task that was unfinished last', () => {
		worker.record('c', false);
		expect(worker.inOrder(['a', 'b', 'c', 'd'])).toEqual(['c', 'a', 'b', 'd']);
		worker.claim(['b']);
		expect(worker.inOrder(['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'a', 'd']);
		worker.record('b', true);
		expect(worker.inOrder(['a', 'b', 'c', 'a'])).toEqual(['c', 'a', 'b']);
	});

	test('counts for how long a task is as it should not stay', async () => {
		expect(worker.oddMs('a', true)).toBe(0);
		await clock.sleep(5_000);
		expect(worker.oddMs('a', true)).toBe(5_000);
		expect(worker.oddMs('b', true)).toBe(0);
		expect(worker.oddMs('a', false)).toBe(0);
		expect(worker.oddMs('a', true)).toBe(0);
	});

	test('finishes a rest once, until n8n says that it could not continue', async () => {
		expect(worker.finish).toBe('no');
		await work('finished');
		expect(worker.finish).toBe('uncertain');
		worker.settleFinish(false);
		expect(worker.finish).toBe('no');
		await work('finished');
		worker.settleFinish(true);
		await clock.sleep(10 * 60_000 - 1);
		expect(worker.finish).toBe('certain');
		await clock.sleep(1);
		expect(worker.finish).toBe('no');
	});

	test('lets a rest be finished again after a while when n8n says nothing', async () => {
		await work('finished', 0);
		await clock.sleep(29_999);
		expect(worker.finish).toBe('uncertain');
		await clock.sleep(1);
		expect(worker.finish).toBe('no');
	});

	test('is forgotten as the oldest of very many, unless it works', async () => {
		const working = work('finished', 60_000);
		const second = workers.of('two');
		for (let rest = 0; rest < 999; rest += 1) workers.of(`rest ${rest}`);
		expect(workers.of('one')).toBe(worker);
		expect(workers.of('two')).not.toBe(second);
		await working;
	});

	describe('follows a claim that no read has confirmed', () => {
		test('with few checks, ever further apart, for 30 seconds', async () => {
			worker.claim(['a']);
			expect(await work('unconfirmed', 0)).toBe('unconfirmed');
			expect(checksMs).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 26_000, 30_000]);
			expect(asked).toBe(1);
			expect(worker.inOrder(['b', 'a'])).toEqual(['b', 'a']);
		});

		test('not when nothing was claimed', async () => {
			expect(await work('unconfirmed')).toBe('unconfirmed');
			expect([checksMs, asked]).toEqual([[0], 1]);
		});

		test.each<Found>(['waiting', 'finished'])('until it is %s', async (found) => {
			worker.claim(['a']);
			let count = 0;
			const end = await worker.work(
				async () => {
					count += 1;
					if (count < 2) return 'unconfirmed';
					worker.record('a', true);
					return await Promise.resolve(found);
				},
				() => {},
			);
			expect([end, count, clock.now()]).toEqual([found, 2, 1_000]);
		});

		test('also while the service cannot be read', async () => {
			worker.claim(['a']);
			let tries = 0;
			const check = async (): Promise<Found> => {
				tries += 1;
				if (tries === 1) return 'unconfirmed';
				if (tries < 4) throw new Error('no credential');
				return await Promise.resolve('finished');
			};
			await worker.work(check, () => {});
			expect([tries, clock.now()]).toEqual([4, 4_000]);
		});

		test('and what was claimed during a check that found another task unfinished', async () => {
			let count = 0;
			const check = async (): Promise<Found> => {
				count += 1;
				if (count === 1) worker.claim(['b']);
				else worker.record('b', true);
				return await Promise.resolve('waiting');
			};
			expect(await worker.work(check, () => (asked += 1))).toBe('waiting');
			expect([count, asked]).toEqual([2, 1]);
		});

		test('at most once a second, until 30 seconds after the last claim', async () => {
			worker.claim(['a']);
			const working = work('unconfirmed', 0);
			for (let count = 0; count < 100; count += 1) {
				await clock.sleep(100);
				worker.claim(['a']);
			}
			expect(checksMs.length).toBeLessThanOrEqual(11);
			await working;
			expect(checksMs.at(-1)).toBe(40_000);
		});
	});
});
