/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { turnOfEventLoop } from '../../tools/virtualClock';
import {
	CONTINUE,
	errorIn,
	type Given,
	kindOf,
	memoryOf,
	NO_WAIT,
	numbered,
	status,
	tries,
	useEngine,
} from '../support/useEngine';

/**
 * What refusals, and executions that have ended, cost n8n in time and memory: neither a sheet with too
 * many rows nor a visitor of a form may bring it down.
 */
const { simulator, clock, newProcess, run, click, produce } = useEngine();

const DAY_MS = 24 * 60 * 60_000;
const MEGABYTE = 1_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Another text for each number, whose characters take this many megabytes, two bytes each. */
const large = (megabytes: number, nth: number): string =>
	`${nth} `.padEnd((megabytes * MEGABYTE) / 2, 'слово ');

/** The heap in megabytes, once the simulated service has forgotten everything. */
async function heapMegabytes(): Promise<number> {
	simulator.reset();
	clock.forgetRequests();
	// What has just ended is let go of in later turns of the event loop.
	for (let turn = 0; turn < 50; turn += 1) await turnOfEventLoop();
	collectGarbage();
	return process.memoryUsage().heapUsed / MEGABYTE;
}

/** Numbers the runs from one time to the next. */
async function times(from: number, to: number, work: (nth: number) => Promise<unknown>) {
	for (let nth = from; nth < to; nth += 1) await work(nth);
}

/**
 * By how many megabytes the heap grows with these runs.
 * @param warmUps How many runs come before, which load what all of them need.
 */
async function growthBy(
	runs: number,
	warmUps: number,
	work: (nth: number) => Promise<unknown>,
): Promise<number> {
	await times(0, warmUps, work);
	const before = await heapMegabytes();
	await times(warmUps, warmUps + runs, work);
	return (await heapMegabytes()) - before;
}

describe('items that the limit refuses', () => {
	test.each<[string, Given]>([
		['stops on errors', {}],
		['continues', { settings: CONTINUE }],
		['tries again', { settings: tries(3) }],
	])('leave next to nothing in the execution of a node that %s', async (_what, given) => {
		const result = await run(numbered(500), given);
		expect(errorIn(result) ?? result.error?.context).toMatchObject({ kind: 'limit' });
		expect(memoryOf(result).length).toBeLessThan(2_000);
		expect(result.log).toEqual([]);
	});
});

describe('of prompts of 8 MB, this process remembers at most 64 MB', () => {
	/** With what measuring adds. */
	const MOST_MEGABYTES = 64 + 6;
	const LARGE = 8;
	const RUNS = 10;
	const remembering = (): Given => ({ process: newProcess(), direct: simulator, more: NO_WAIT });

	test('where a visitor of a form sends them, and the provider refuses each', async () => {
		const given = remembering();
		const growth = await growthBy(RUNS, 1, async (nth) => {
			simulator.script({ on: 'create', fault: status(400) });
			expect(kindOf(await produce([large(LARGE, nth)], given))).toBe('refused');
		});
		expect(growth).toBeLessThan(MOST_MEGABYTES);
		await produce(['another'], given);
	});

	test('where each creates a video, of which the newest is reused', async () => {
		const given = remembering();
		const growth = await growthBy(RUNS, 1, async (nth) => await click([large(LARGE, nth)], given));
		expect(growth).toBeLessThan(MOST_MEGABYTES);
		// The service has forgotten its task.
		await click([large(LARGE, RUNS)], given);
		expect(simulator.creates()).toEqual([]);
	});
});

test('nothing of an execution is left a day later, though its node never runs again', async () => {
	const given: Given = { process: newProcess(), direct: simulator, more: NO_WAIT };
	const clicks = 20;
	const growth = await growthBy(1, 1, async () => {
		await times(0, clicks, async (nth) => await click([large(1, nth)], given));
		await clock.sleep(DAY_MS);
		await click(['another'], { ...given, settings: { id: 'another' } });
	});
	expect(growth).toBeLessThan(1);
	await produce(['another'], given);
});

test('nothing of its input is left once an execution has ended, however long its timeout', async () => {
	// In real time, as timers and listeners keep what they belong to.
	clock.remove();
	const runs = 60;
	const growth = await growthBy(runs, 60, async (nth) => {
		simulator.planTask({ immediate: true });
		const items = [{ prompt: 'fox', data: large(1, nth) }];
		expect((await run([], { isAsLoaded: true, items })).status).toBe('success');
	});
	const kilobytesEach = (growth * 1_000) / runs;
	expect(kilobytesEach).toBeLessThan(10);
});
