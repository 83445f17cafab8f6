import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

/** How often memory is looked at; each look collects garbage first. */
const LOOK_EVERY_MS = 250;
/** A heap that shrinks by less has come to rest. */
const NOISE_BYTES = 10_240;

setFlagsFromString('--expose-gc');
const collectGarbage = z.function().returns(z.unknown()).parse(runInNewContext('gc'));

export interface Cost {
	/** Of this process alone, on all its threads. */
	cpuMs: number;
	wallMs: number;
}

/** What some work costs in time; it starts without garbage of the work before. */
export async function timeOf(work: () => Promise<unknown>): Promise<Cost> {
	collectGarbage();
	const cpuBefore = process.cpuUsage();
	const wallBefore = performance.now();
	await work();
	const { user, system } = process.cpuUsage(cpuBefore);
	return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - wallBefore };
}

/**
 * The most bytes that the work kept alive at any moment, its result included. Garbage is collected
 * before every look, so this takes time and must not be timed.
 */
export async function peakBytesOf(work: () => Promise<unknown>): Promise<number> {
	const before = await settledBytes();
	let peak = before;
	const look = () => {
		peak = Math.max(peak, liveBytes());
	};
	const timer = setInterval(look, LOOK_EVERY_MS);
	try {
		const result = await work();
		look();
		// Only now may the result go.
		return result === undefined ? 0 : peak - before;
	} finally {
		clearInterval(timer);
	}
}

/** What ran before may still be held by things that end in turns of their own, like sockets. */
async function settledBytes(): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let bytes = liveBytes(); bytes < least - NOISE_BYTES; bytes = liveBytes()) {
		least = bytes;
		await delay(LOOK_EVERY_MS);
	}
	return liveBytes();
}

/** What is in use at this moment, without garbage. */
export function liveBytes(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return (low + high) / 2;
}
