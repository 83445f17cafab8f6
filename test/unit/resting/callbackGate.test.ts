import { CallbackGate, type Found } from '../../../nodes/Videogen/run/callbackGate';
import { VirtualClock } from '../../support/clocks';

describe('the gate of callbacks', () => {
	let clock: VirtualClock;
	let gate: CallbackGate;
	let checks: Array<[rest: string, atMs: number]>;
	beforeEach(() => {
		clock = new VirtualClock();
		gate = new CallbackGate(clock);
		checks = [];
	});

	/** A check that takes this long. */
	const checkOf =
		(rest: string, found: Found = 'waiting', ms = 100) =>
		async () => {
			checks.push([rest, clock.now()]);
			await clock.sleep(ms);
			return found;
		};
	const call = async (rest: string, found?: Found, ms?: number): Promise<Found> =>
		await gate.pass(rest, checkOf(rest, found, ms));
	const timesOf = (rest: string) => checks.flatMap(([one, atMs]) => (one === rest ? [atMs] : []));

	test('checks once a second at most for one rest, however many callbacks come', async () => {
		const calls = await Promise.all(Array.from({ length: 20 }, async () => await call('one')));
		// Eleven share the two checks; the others are not held.
		expect(calls.filter((found) => found === 'waiting')).toHaveLength(11);
		expect(calls.filter((found) => found === 'unconfirmed')).toHaveLength(9);
		expect(timesOf('one')).toEqual([0, 1_000]);
	});

	test('checks again for what came during a check, so that the last callback counts', async () => {
		const first = call('one', 'waiting', 5_000);
		const last = call('one', 'finished');
		expect(await Promise.all([first, last])).toEqual(['waiting', 'finished']);
		expect(timesOf('one')).toEqual([0, 5_000]);
	});

	test('lets one callback finish a rest, and no other after it', async () => {
		const calls = [call('one', 'finished'), call('one', 'finished'), call('one', 'finished')];
		expect(await Promise.all(calls)).toEqual(['finished', 'finished', 'finished']);
		expect(await call('one', 'finished')).toBe('finished');
		expect(checks).toHaveLength(1);
	});

	test('checks each rest by itself', async () => {
		await Promise.all([call('one'), call('two'), call('three')]);
		expect(checks.map(([, atMs]) => atMs)).toEqual([0, 0, 0]);
	});

	test('passes on what a check runs into, and checks again for the next callback', async () => {
		const broken = gate.pass('one', async () => await Promise.reject(new Error('no credential')));
		await expect(broken).rejects.toThrow('no credential');
		expect(await call('one', 'unconfirmed')).toBe('unconfirmed');
		expect(await call('one', 'finished')).toBe('finished');
	});

	test('has what a callback calls final read first, then the task that was unfinished last', () => {
		gate.endWith('one', 'c');
		expect(gate.inOrder('one', ['a', 'b', 'c', 'd'])).toEqual(['c', 'a', 'b', 'd']);
		gate.claim('one', ['b']);
		expect(gate.inOrder('one', ['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'a', 'd']);
		gate.confirm('one', 'b');
		expect(gate.inOrder('one', ['a', 'b', 'c', 'd'])).toEqual(['c', 'a', 'b', 'd']);
		expect(gate.inOrder('two', ['a', 'b', 'a'])).toEqual(['a', 'b']);
	});

	test('tells an unfinished task that a callback calls final from one that nobody does', () => {
		gate.claim('one', ['b']);
		expect(gate.endWith('one', 'b')).toBe('unconfirmed');
		expect(gate.endWith('one', 'a')).toBe('waiting');
		expect(gate.endWith('two', 'b')).toBe('waiting');
	});

	test('lets a rest be finished again when n8n could not go on, or has not for long', async () => {
		await call('one', 'finished');
		gate.reopen('one');
		expect(await call('one', 'finished')).toBe('finished');
		expect(timesOf('one')).toHaveLength(2);
		await clock.sleep(9 * 60_000);
		await call('one');
		expect(timesOf('one')).toHaveLength(2);
		await clock.sleep(60_000);
		expect(await call('one')).toBe('waiting');
		expect(timesOf('one')).toHaveLength(3);
	});

	test('forgets the oldest of very many rests alone', async () => {
		for (let rest = 0; rest < 1_000; rest += 1) await call(`rest ${rest}`, 'finished', 0);
		await clock.sleep(1_000);
		await call('one more', 'finished');
		expect(await call('rest 1')).toBe('finished');
		expect(await call('rest 0')).toBe('waiting');
		expect(checks).toHaveLength(1_002);
	});

	describe('follows a claim that no read has confirmed', () => {
		test('with few checks, ever further apart, for 30 seconds', async () => {
			gate.claim('one', ['a']);
			await gate.follow('one', checkOf('one', 'unconfirmed', 0));
			expect(timesOf('one')).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 26_000, 30_000]);
			expect(gate.endWith('one', 'a')).toBe('waiting');
		});

		test.each<Found>(['waiting', 'finished'])('until it is %s', async (found) => {
			gate.claim('one', ['a']);
			await gate.follow('one', checkOf('one', found));
			expect(timesOf('one')).toEqual([1_000]);
		});

		test('also while the service cannot be read', async () => {
			gate.claim('one', ['a']);
			let tries = 0;
			await gate.follow('one', async () => {
				tries += 1;
				if (tries < 3) throw new Error('no credential');
				return await Promise.resolve('finished');
			});
			expect([tries, clock.now()]).toEqual([3, 4_000]);
		});

		test('and keeps what was claimed during its last check', async () => {
			gate.claim('one', ['a']);
			const check = checkOf('one', 'waiting', 500);
			const followed = gate.follow('one', async () => {
				gate.confirm('one', 'a');
				return await check();
			});
			await clock.sleep(1_100);
			gate.claim('one', ['b']);
			await followed;
			expect(gate.endWith('one', 'b')).toBe('unconfirmed');
		});

		test('for all callbacks at once, at most once a second, until 30 seconds after the last', async () => {
			gate.claim('one', ['a']);
			const first = gate.follow('one', checkOf('one', 'unconfirmed', 0));
			for (let count = 0; count < 100; count += 1) {
				await clock.sleep(100);
				gate.claim('one', ['a']);
				await gate.follow('one', checkOf('one', 'unconfirmed', 0));
			}
			expect(timesOf('one').length).toBeLessThanOrEqual(10);
			await first;
			expect(timesOf('one').at(-1)).toBe(40_000);
		});
	});
});
