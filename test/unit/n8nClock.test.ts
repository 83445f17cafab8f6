import { n8nClock } from '../../nodes/Videogen/tasks/n8nClock';

const NEVER = new AbortController().signal;
/** Longer than any test may take. */
const LONG_MS = 3_600_000;

/** How long it sleeps, in milliseconds. */
async function sleptMs(ms: number, signal: AbortSignal): Promise<number> {
	const startMs = n8nClock.now();
	await n8nClock.sleep(ms, signal);
	return n8nClock.now() - startMs;
}

describe('time on a real n8n', () => {
	// Longer than n8n's sleep is taken in one piece.
	test('passes as asked', async () =>
		expect(await sleptMs(300, NEVER)).toBeGreaterThanOrEqual(300));

	test('passes at once when none is asked for', async () => {
		expect(await sleptMs(0, NEVER)).toBeLessThan(LONG_MS);
		expect(await sleptMs(-LONG_MS, NEVER)).toBeLessThan(LONG_MS);
	});

	test('is not waited for after a stop, before or while it is', async () => {
		expect(await sleptMs(LONG_MS, AbortSignal.abort())).toBeLessThan(LONG_MS);
		expect(await sleptMs(LONG_MS, AbortSignal.timeout(10))).toBeLessThan(LONG_MS);
	});

	test('comes with chance, from 0 up to 1', () => {
		const chances = Array.from({ length: 100 }, () => n8nClock.random());
		expect(chances.every((chance) => chance >= 0 && chance < 1)).toBe(true);
		expect(new Set(chances).size).toBeGreaterThan(1);
	});
});
