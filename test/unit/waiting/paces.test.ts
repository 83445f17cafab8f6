import { Alarm } from '../../../nodes/Videogen/tasks/alarm';
import { CreatePace } from '../../../nodes/Videogen/tasks/createPace';
import { ReadPace } from '../../../nodes/Videogen/tasks/readPace';
import type { StatusTrouble } from '../../../nodes/Videogen/service/answer';
import { turnOfEventLoop, VirtualClock } from '../../support/clocks';

const limited: StatusTrouble = { kind: 'status', status: 429, isJson: true };
const refused: StatusTrouble = { kind: 'status', status: 400, isJson: true };

const BUDGET_MS = 60 * 60_000;

describe('the pace of creates', () => {
	/** Creates that all want to be sent; tells how many went out so far. */
	function crowd(pace: CreatePace, count: number): () => number {
		let sent = 0;
		for (let left = count; left > 0; left -= 1) {
			void pace.turn(false, BUDGET_MS).then((turn) => (sent += turn === 'go' ? 1 : 0));
		}
		return () => sent;
	}

	test('is halved by 429: half as many are under way after the pause', async () => {
		const clock = new VirtualClock();
		const alarm = new Alarm(clock);
		const pace = new CreatePace(clock, alarm);
		const sent = crowd(pace, 100);
		await turnOfEventLoop();
		const atFirst = sent();
		expect(atFirst).toBeGreaterThan(4);
		pace.rateLimited(limited, clock.now());
		for (let left = atFirst - 1; left > 0; left -= 1) pace.ended(refused);
		await clock.sleep(5_000);
		expect(sent() - atFirst).toBe(atFirst / 2);
		pace.stop();
		alarm.stop();
	});
});

describe('the pace of reads', () => {
	test('after a good answer 429 begins with a short pause again', async () => {
		const clock = new VirtualClock(() => 0);
		const pace = new ReadPace(clock, new Alarm(clock), 1);
		const pauseMs = async (): Promise<number> => {
			const fromMs = clock.now();
			pace.rateLimited(limited);
			const time = { dueMs: fromMs, latestMs: Infinity, spreadMs: 0 };
			expect(await pace.turn(time)).toBe('go');
			pace.leave();
			return clock.now() - fromMs;
		};
		expect([await pauseMs(), await pauseMs(), await pauseMs()]).toEqual([500, 1_000, 2_000]);
		pace.answered();
		expect([await pauseMs(), await pauseMs()]).toEqual([500, 1_000]);
	});

	test('ends for those that queue when the run is stopped', async () => {
		const clock = new VirtualClock();
		const pace = new ReadPace(clock, new Alarm(clock), 1);
		const turns: string[] = [];
		for (let count = 0; count < 100; count += 1) {
			const time = { dueMs: 0, latestMs: Infinity, spreadMs: 0 };
			void pace.turn(time).then((turn) => turns.push(turn));
		}
		await turnOfEventLoop();
		const underWay = turns.length;
		expect(new Set(turns)).toEqual(new Set(['go']));
		pace.stop();
		await turnOfEventLoop();
		expect(turns.slice(underWay)).toEqual(Array(100 - underWay).fill('stopped'));
		expect(underWay).toBeLessThan(100);
	});

	test('comes back to the asked interval step by step', async () => {
		const clock = new VirtualClock();
		const pace = new ReadPace(clock, new Alarm(clock), 1);
		for (let round = 0; round < 6; round += 1) {
			pace.rateLimited(limited);
			await clock.sleep(60_000);
		}
		const slowest = pace.intervalMs(1_000);
		expect(slowest).toBeGreaterThan(4_000);
		expect(pace.firstIntervalMs(1_000, 0)).toBe(slowest);
		pace.answered();
		expect(pace.intervalMs(1_000)).toBeGreaterThan(slowest / 2);
		for (let round = 0; round < 30; round += 1) pace.answered();
		expect(pace.intervalMs(1_000)).toBe(1_000);
	});
});
