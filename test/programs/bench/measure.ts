import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

setFlagsFromString('--expose-gc');
const collectGarbage = z.function().returns(z.unknown()).parse(runInNewContext('gc'));

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
