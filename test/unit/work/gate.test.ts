import { Gate, Gates } from '../../../nodes/Videogen/work/gate';
import { VirtualClock } from '../../../tools/virtualClock';
import { errorOf, refusal } from '../../support/work';

const { signal: never } = new AbortController();

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock(() => 1)));

/** When each of so many requests gets its turn, if they come together and keep it. */
async function turnsOf(gate: Gate, requests: number): Promise<number[]> {
	const turns: number[] = [];
	const end = new AbortController();
	const entering = Array.from({ length: requests }, async () => {
		if (await gate.enter(end.signal)) turns.push(clock.now());
	});
	await clock.sleep(120_000);
	end.abort();
	await Promise.all(entering);
	turns.forEach(() => gate.leave());
	return turns;
}

const refuse = (gate: Gate, sentAt = clock.now(), retryAfterMs?: number): void =>
	gate.refused(errorOf(refusal(429, { retryAfterMs })), sentAt);

test('a gate lets so many through at once, and the next one when one leaves', async () => {
	const gate = new Gate(clock, 2);
	expect(await turnsOf(gate, 3)).toEqual([0, 0]);
	await gate.enter(never);
	await gate.enter(never);
	const third = gate.enter(never);
	gate.leave();
	expect(await third).toBe(true);
	expect(await gate.enter(AbortSignal.abort())).toBe(false);
});

test('after a 429 it opens for one, and for more as they are accepted', async () => {
	const gate = new Gate(clock, 3);
	refuse(gate);
	expect(gate.refusal).toMatchObject({ status: 429 });
	expect(await turnsOf(gate, 4)).toEqual([1_000]);
	const sizes: number[] = [];
	for (let accepted = 0; accepted < 6; accepted += 1) {
		gate.accepted();
		sizes.push((await turnsOf(gate, 4)).length);
	}
	expect(sizes).toEqual([2, 2, 2, 3, 3, 3]);
});

test('an answer to what was sent before opens nothing while it is closed', async () => {
	const gate = new Gate(clock, 3);
	refuse(gate);
	gate.accepted();
	expect(await turnsOf(gate, 4)).toEqual([1_000]);
});

describe('it is closed', () => {
	test('for longer with every 429 in a row, up to half a minute', async () => {
		const gate = new Gate(clock, 1);
		const pauses: number[] = [];
		for (let tries = 0; tries < 7; tries += 1) {
			const now = clock.now();
			refuse(gate);
			const [turn = 0] = await turnsOf(gate, 1);
			pauses.push(turn - now);
		}
		expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
		const now = clock.now();
		gate.accepted();
		refuse(gate);
		expect(await turnsOf(gate, 1)).toEqual([now + 1_000]);
	});

	test.each([
		['for as long as the service asks', 40_000, 40_000],
		['for no less than its own pause', 500, 1_000],
	])('%s', async (_what, asked, pause) => {
		const gate = new Gate(clock, 1);
		refuse(gate, 0, asked);
		expect(await turnsOf(gate, 1)).toEqual([pause]);
	});

	test('once for requests that were under way together', async () => {
		const gate = new Gate(clock, 3);
		const sentAt = clock.now();
		await clock.sleep(100);
		refuse(gate, sentAt);
		await clock.sleep(100);
		refuse(gate, sentAt);
		expect(await turnsOf(gate, 1)).toEqual([1_200]);
	});

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
		expect(await gate.enter(never, deadlineAt)).toBe(hasTurn);
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
