import type { StatusError } from '../../../nodes/Videogen/service/types';
import { Gate, Gates } from '../../../nodes/Videogen/work/gate';
import { VirtualClock } from '../../../tools/virtualClock';

const { signal: never } = new AbortController();

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock(() => 1)));

/** When each of so many requests gets its turn, if they come together and keep it. */
async function turnsOf(gate: Gate, requests: number): Promise<number[]> {
	const turns: number[] = [];
	const end = new AbortController();
	const inTurn = Array.from({ length: requests }, async () => {
		await gate.inTurn(end.signal, Infinity, async () => {
			turns.push(clock.now());
			await clock.sleep(Infinity, end.signal);
		});
	});
	await clock.sleep(20 * 60_000);
	end.abort();
	await Promise.all(inTurn);
	return turns;
}

function refuse(gate: Gate, sentAt = clock.now(), retryAfterMs?: number): void {
	const error: StatusError = { kind: 'status', status: 429, isJson: true, retryAfterMs };
	gate.refused(error, sentAt);
}

test('a gate gives the place back if the work fails', async () => {
	const gate = new Gate(clock, 1);
	const failing = async () => await Promise.reject(new Error('No'));
	await expect(gate.inTurn(never, Infinity, failing)).rejects.toThrow('No');
	expect((await turnsOf(gate, 2)).length).toBe(1);
});

test('after a 429 it opens for one, and for more as they are accepted', async () => {
	const gate = new Gate(clock, 3);
	refuse(gate);
	expect(gate.refusal).toMatchObject({ status: 429 });
	// An answer to what was sent before opens nothing.
	gate.accepted();
	expect(await turnsOf(gate, 4)).toEqual([1_000]);
	const sizes: number[] = [];
	for (let accepted = 0; accepted < 6; accepted += 1) {
		gate.accepted();
		sizes.push((await turnsOf(gate, 4)).length);
	}
	expect(sizes).toEqual([2, 2, 2, 3, 3, 3]);
});

describe('it is closed', () => {
	test('until the last pause is over, whichever was asked for first', async () => {
		const gate = new Gate(clock, 1);
		refuse(gate, 0, 10_000);
		refuse(gate, -1, 5_000);
		expect(await turnsOf(gate, 1)).toEqual([10_000]);
		const now = clock.now();
		refuse(gate, now, 5_000);
		refuse(gate, -1, 10_000);
		expect(await turnsOf(gate, 1)).toEqual([now + 10_000]);
	});

	test.each([
		[1_000, true],
		[999, false],
	])('and nobody waits beyond a deadline after %d ms: %s', async (deadlineAt, hasTurn) => {
		const gate = new Gate(clock, 1);
		refuse(gate);
		const turn = await gate.inTurn(never, deadlineAt, async () => await Promise.resolve(true));
		expect(turn === true).toBe(hasTurn);
		expect([clock.now(), gate.refusal === undefined]).toEqual([hasTurn ? 1_000 : 0, hasTurn]);
	});
});

test('all executions with one service and key share its gates', async () => {
	const gates = new Gates(clock);
	const connection = { baseUrl: 'https://e.com', apiKey: 'a key' };
	const of = gates.of(connection);
	expect(gates.of({ ...connection }).creates).toBe(of.creates);
	for (const other of [{ apiKey: 'other' }, { baseUrl: 'https://other.com' }]) {
		expect(gates.of({ ...connection, ...other }).reads).not.toBe(of.reads);
	}
	expect((await turnsOf(of.creates, 50)).length).toBe(10);
	expect((await turnsOf(of.reads, 50)).length).toBe(32);
});

test('the gates of a service that is not asked for a day are forgotten', async () => {
	const gates = new Gates(clock);
	const of = (apiKey: string) => gates.of({ baseUrl: 'https://e.com', apiKey }).creates;
	const [kept, left] = [of('kept'), of('left')];
	const day = 24 * 3_600_000;
	await clock.sleep(day - 1);
	expect(of('kept')).toBe(kept);
	await clock.sleep(1);
	expect([of('kept') === kept, of('left') === left]).toEqual([true, false]);
	for (let other = 0; other < 998; other += 1) of(String(other));
	expect(of('kept')).toBe(kept);
	const [first, second] = [of('0'), of('1')];
	for (const other of ['more', 'yet more']) of(other);
	expect([of('kept') === kept, of('0') === first, of('1') === second]).toEqual([true, true, true]);
});
