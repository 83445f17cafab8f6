import type { Look } from '../../../nodes/Videogen/resting/callbackGate';
import { CallbackGate } from '../../../nodes/Videogen/resting/callbackGate';
import { VirtualClock } from '../../support/clocks';

describe('the gate of callbacks', () => {
	let clock: VirtualClock;
	let gate: CallbackGate;
	let looks: Array<[rest: string, atMs: number]>;
	beforeEach(() => {
		clock = new VirtualClock();
		gate = new CallbackGate(clock);
		looks = [];
	});

	/** A callback whose look takes this long. */
	const call = async (rest: string, found: Look = 'waiting', ms = 100): Promise<Look> =>
		await gate.pass(rest, async () => {
			looks.push([rest, clock.now()]);
			await clock.sleep(ms);
			return found;
		});

	test('looks once a second at most for one rest, however many callbacks come', async () => {
		const calls = await Promise.all(Array.from({ length: 20 }, async () => await call('one')));
		// Eleven share the two looks; the others are not held.
		expect(calls.filter((found) => found === 'waiting')).toHaveLength(11);
		expect(calls.filter((found) => found === 'unavailable')).toHaveLength(9);
		expect(looks).toEqual([
			['one', 0],
			['one', 1_000],
		]);
	});

	test('looks again for what came during a look, so that the last callback counts', async () => {
		const first = call('one', 'waiting', 5_000);
		const last = call('one', 'finished');
		expect(await Promise.all([first, last])).toEqual(['waiting', 'finished']);
		expect(looks.map(([, atMs]) => atMs)).toEqual([0, 5_000]);
	});

	test('lets one callback finish a rest, and no other after it', async () => {
		const calls = [call('one', 'finished'), call('one', 'finished'), call('one', 'finished')];
		expect(await Promise.all(calls)).toEqual(['finished', 'finished', 'finished']);
		expect(await call('one', 'finished')).toBe('finished');
		expect(looks).toHaveLength(1);
	});

	test('looks for each rest by itself', async () => {
		await Promise.all([call('one'), call('two'), call('three')]);
		expect(looks.map(([, atMs]) => atMs)).toEqual([0, 0, 0]);
	});

	test('passes on what a look runs into, and looks again for the next callback', async () => {
		const broken = gate.pass('one', async () => await Promise.reject(new Error('no credential')));
		await expect(broken).rejects.toThrow('no credential');
		expect(await call('one', 'unavailable')).toBe('unavailable');
		expect(await call('one', 'finished')).toBe('finished');
	});

	test('has the task read first that was unfinished when it was last looked at', () => {
		gate.foundUnfinished('one', 'c');
		expect(gate.inOrder('one', ['a', 'b', 'c'])).toEqual(['c', 'a', 'b']);
		expect(gate.inOrder('two', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
	});

	test('has a task read once that two items name', () => {
		expect(gate.inOrder('one', ['a', 'b', 'a'])).toEqual(['a', 'b']);
		gate.foundUnfinished('one', 'b');
		expect(gate.inOrder('one', ['a', 'b', 'a'])).toEqual(['b', 'a']);
	});

	test('remembers a finished rest, as n8n may queue its execution for long', async () => {
		await call('one', 'finished');
		await clock.sleep(24 * 60 * 60_000);
		expect(await call('one')).toBe('finished');
		expect(looks).toHaveLength(1);
	});

	test('forgets the oldest of very many finished rests alone', async () => {
		for (let rest = 0; rest < 1_001; rest += 1) await call(`rest ${rest}`, 'finished');
		expect(await call('rest 1')).toBe('finished');
		expect(await call('rest 0')).toBe('waiting');
		expect(looks).toHaveLength(1_002);
	});
});
