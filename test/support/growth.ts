import { performance } from 'node:perf_hooks';

/** How many characters the texts have of which times are compared. */
const SIZES = [500, 1_500, 4_500, 13_500] as const;
const [SMALLEST, , , LARGEST] = SIZES;

/** Linear work has a growth of about 1, quadratic work one of 27. */
export const MOST_GROWTH = 5;
const CLEARLY_LINEAR = 2;

/** The machine may be busy at any moment, but not at every one. */
const ROUNDS = 5;

/** A text that is made of another one, again and again, between two ends. */
export type Hostile = [start: string, again: string, end: string];

const textOf = ([start, again, end]: Hostile, characters: number): string =>
	start + again.repeat(Math.ceil(characters / again.length)) + end;

function timeOf(work: (text: string) => unknown, text: string, times: number): number {
	const startedAt = performance.now();
	for (let time = 0; time < times; time += 1) work(text);
	return performance.now() - startedAt;
}

/** How much longer the largest text takes than as many characters in the smallest ones. */
export function growthOf(work: (text: string) => unknown, hostile: Hostile): number {
	const texts = SIZES.map((size) => ({ size, text: textOf(hostile, size) }));
	const least = new Map<number, number>();
	// What runs for the first time is compiled first.
	for (const { text } of texts) timeOf(work, text, 2);
	for (let round = 1; round <= ROUNDS; round += 1) {
		for (const { size, text } of texts) {
			const time = timeOf(work, text, LARGEST / size);
			least.set(size, Math.min(time, least.get(size) ?? Infinity));
		}
		if (round > 1 && ratio(least) < CLEARLY_LINEAR) break;
	}
	return ratio(least);
}

const ratio = (times: Map<number, number>): number =>
	(times.get(LARGEST) ?? 0) / (times.get(SMALLEST) ?? 0);
