import fc from 'fast-check';
import { Alarm } from '../../../nodes/Videogen/tasks/alarm';
import { backoffMs, pauseMs } from '../../../nodes/Videogen/tasks/backoff';
import { DueQueue } from '../../../nodes/Videogen/tasks/dueQueue';
import { Semaphore } from '../../../nodes/Videogen/tasks/semaphore';
import { VirtualClock } from '../../support/clocks';

/** Often equal or next to each other, too. */
const moment = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 10_000 }));

/** Lets everything that promises have in store happen. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

describe('DueQueue', () => {
	test('gives its entries in the order in which they are due, and loses none', () => {
		fc.assert(
			fc.property(fc.array(moment), (moments) => {
				const queue = new DueQueue<number>();
				for (const ms of moments) queue.push(ms, ms);
				const taken: number[] = [];
				for (let ms = queue.popDue(Infinity); ms !== undefined; ms = queue.popDue(Infinity)) {
					taken.push(ms);
				}
				expect(taken).toEqual([...moments].sort((a, b) => a - b));
				expect(queue.size).toBe(0);
				expect(queue.nextDueMs).toBeUndefined();
			}),
		);
	});

	test('behaves like a sorted list, whatever is pushed and taken in whatever order', () => {
		const step = fc.record({ push: fc.boolean(), ms: moment });
		fc.assert(
			fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
				const queue = new DueQueue<number>();
				let model: number[] = [];
				for (const { push, ms } of steps) {
					if (push) {
						queue.push(ms, ms);
						model = [...model, ms].sort((a, b) => a - b);
					} else {
						const [first] = model;
						const isDue = first !== undefined && first <= ms;
						expect(queue.popDue(ms)).toBe(isDue ? first : undefined);
						if (isDue) model = model.slice(1);
					}
					expect(queue.size).toBe(model.length);
					expect(queue.nextDueMs).toBe(model[0]);
				}
			}),
		);
	});
});

describe('Alarm', () => {
	test('wakes everyone at their own time, with one sleep at any moment', async () => {
		const waits = fc.array(fc.record({ fromMs: moment, dueMs: moment }), { maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(waits, async (waiters) => {
				const clock = new VirtualClock();
				let asleep = 0;
				const alarm = new Alarm({
					now: clock.now,
					random: clock.random,
					async sleep(ms, signal) {
						asleep += 1;
						await clock.sleep(ms, signal);
						asleep -= 1;
						expect(asleep).toBeLessThanOrEqual(1);
					},
				});
				await Promise.all(
					waiters.map(async ({ fromMs, dueMs }) => {
						await clock.sleep(fromMs);
						expect(await alarm.until(dueMs)).toBe(true);
						expect(clock.now()).toBe(Math.max(fromMs, dueMs));
					}),
				);
				expect(clock.sleeping).toBe(0);
			}),
			{ numRuns: 50 },
		);
	});

	test('needs a single sleep for a thousand waiters', async () => {
		const clock = new VirtualClock();
		const alarm = new Alarm(clock);
		const reached = await Promise.all(
			Array.from({ length: 1_000 }, async (_, index) => await alarm.until(1_000 - index)),
		);
		expect(reached.every(Boolean)).toBe(true);
		expect(clock.mostSleeping).toBe(1);
		expect(clock.now()).toBe(1_000);
	});

	test('once stopped it wakes all at once, leaves no sleep behind and keeps nobody', async () => {
		const clock = new VirtualClock();
		const alarm = new Alarm(clock);
		const waiting = [10_000, 5_000, 20_000].map(async (dueMs) => await alarm.until(dueMs));
		alarm.stop();
		expect(await Promise.all(waiting)).toEqual([false, false, false]);
		expect(await alarm.until(30_000)).toBe(false);
		await settle();
		expect(clock.sleeping).toBe(0);
		expect(clock.now()).toBe(0);
	});
});

describe('Semaphore', () => {
	test('never lets in more than its limit, and everyone gets in, in the order of arrival', async () => {
		const scene = fc.record({
			limits: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
			stays: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 }),
		});
		await fc.assert(
			fc.asyncProperty(scene, async ({ limits, stays }) => {
				const clock = new VirtualClock();
				const semaphore = new Semaphore(limits[0] ?? 1);
				const most = Math.max(...limits);
				let inside = 0;
				const entered: number[] = [];
				const limitsChange = limits.map(async (limit, index) => {
					await clock.sleep(index * 20);
					semaphore.setLimit(limit);
				});
				const visits = stays.map(async (stayMs, index) => {
					expect(await semaphore.enter()).toBe(true);
					inside += 1;
					entered.push(index);
					expect(inside).toBeLessThanOrEqual(most);
					await clock.sleep(stayMs);
					inside -= 1;
					semaphore.leave();
				});
				await Promise.all([...limitsChange, ...visits]);
				expect(entered).toEqual(stays.map((_, index) => index));
			}),
			{ numRuns: 60 },
		);
	});

	test('who comes again goes before all that never had a turn', async () => {
		const semaphore = new Semaphore(1);
		await semaphore.enter();
		const order: string[] = [];
		const visit = async (name: string, again: boolean) => {
			await semaphore.enter(again);
			order.push(name);
			semaphore.leave();
		};
		const visits = [
			visit('first', false),
			visit('second', false),
			visit('again', true),
			visit('third', false),
		];
		semaphore.leave();
		await Promise.all(visits);
		expect(order).toEqual(['again', 'first', 'second', 'third']);
	});

	test('keeps this order when part of a long queue has gone in already', async () => {
		const semaphore = new Semaphore(1);
		await semaphore.enter();
		const order: number[] = [];
		const visits = Array.from({ length: 3_000 }, async (_, index) => {
			await semaphore.enter();
			order.push(index);
			if (index === 2_000) {
				visits.push(
					semaphore.enter(true).then(() => {
						order.push(-1);
						semaphore.leave();
					}),
				);
			}
			semaphore.leave();
		});
		semaphore.leave();
		await Promise.all(visits);
		await Promise.all(visits);
		expect(order.indexOf(-1)).toBe(2_001);
		expect(order.filter((index) => index >= 0)).toEqual(
			Array.from({ length: 3_000 }, (_, index) => index),
		);
	});

	test('those who go in over the limit count until they leave', async () => {
		const semaphore = new Semaphore(2);
		semaphore.enterAnyway();
		semaphore.enterAnyway();
		semaphore.enterAnyway();
		let entered = false;
		const visit = semaphore.enter().then(() => (entered = true));
		semaphore.leave();
		await settle();
		expect(entered).toBe(false);
		semaphore.leave();
		await visit;
		expect(entered).toBe(true);
	});

	test('a lowered limit holds back until enough have left', async () => {
		const semaphore = new Semaphore(3);
		for (let count = 0; count < 3; count += 1) await semaphore.enter();
		semaphore.setLimit(1);
		let entered = false;
		void semaphore.enter().then(() => (entered = true));
		semaphore.leave();
		semaphore.leave();
		await settle();
		expect(entered).toBe(false);
		semaphore.leave();
		await settle();
		expect(entered).toBe(true);
	});

	test('who gives up while queueing takes no place, and the next one goes in', async () => {
		const semaphore = new Semaphore(1);
		await semaphore.enter();
		const controller = new AbortController();
		const impatient = semaphore.enter(false, controller.signal);
		const patient = semaphore.enter();
		controller.abort();
		expect(await impatient).toBe(false);
		expect(await semaphore.enter(false, controller.signal)).toBe(false);
		semaphore.leave();
		expect(await patient).toBe(true);
		semaphore.leave();
		expect(await semaphore.enter()).toBe(true);
	});

	test('who gives up later than it went in stays inside; a free place is taken even then', async () => {
		const semaphore = new Semaphore(2);
		await semaphore.enter();
		await semaphore.enter();
		const controller = new AbortController();
		const visit = semaphore.enter(false, controller.signal);
		semaphore.leave();
		expect(await visit).toBe(true);
		controller.abort();
		semaphore.leave();
		expect(await semaphore.enter(false, controller.signal)).toBe(true);
		let entered = false;
		void semaphore.enter().then(() => (entered = true));
		await settle();
		expect(entered).toBe(false);
	});

	test('once stopped it turns away all who wait and all who come', async () => {
		const semaphore = new Semaphore(1);
		await semaphore.enter();
		const waiting = [semaphore.enter(), semaphore.enter(true), semaphore.enter()];
		semaphore.stop();
		expect(await Promise.all(waiting)).toEqual([false, false, false]);
		semaphore.leave();
		expect(await semaphore.enter()).toBe(false);
		expect(await semaphore.enter(true)).toBe(false);
	});
});

describe('backoffMs', () => {
	test('doubles up to the most, and stays in the upper half of it', () => {
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 200 }), random, (tries, share) => {
				const full = Math.min(30_000, 1_000 * 2 ** Math.max(0, tries - 1));
				const ms = backoffMs(tries, { firstMs: 1_000, maxMs: 30_000 }, () => share);
				expect(ms).toBeGreaterThanOrEqual(full / 2);
				expect(ms).toBeLessThanOrEqual(full);
			}),
		);
	});

	test('uses the whole of this half', () => {
		const limits = { firstMs: 1_000, maxMs: 30_000 };
		expect(backoffMs(3, limits, () => 0)).toBe(2_000);
		expect(backoffMs(3, limits, () => 0.5)).toBe(3_000);
	});
});

describe('pauseMs', () => {
	const limits = { firstMs: 1_000, maxMs: 30_000 };
	const paused = (askedMs: number | undefined) => pauseMs(askedMs, 2, limits, () => 0);

	test.each([undefined, 0, 1, 499])('backs off when asked for %p ms', (askedMs) => {
		expect(paused(askedMs)).toBe(1_000);
	});

	test.each([500, 1_000, 3_600_000])('lasts as long as asked: %d ms', (askedMs) => {
		expect(paused(askedMs)).toBe(askedMs);
	});
});
