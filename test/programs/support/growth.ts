/** How many characters the texts have of which times are compared. */
const SIZES = [500, 1_500, 4_500, 40_500] as const;
const [SMALLEST, , , LARGEST] = SIZES;

/** Linear work has a growth of about 1, or a few where it fills the memory, quadratic work one of 81. */
export const MOST_GROWTH = 9;
const CLEARLY_LINEAR = 2;
const CLEARLY_MORE = 12;

/** The least time counts: a compiler or a collector of memory may be at work at any moment, but not at every one. */
const ROUNDS = 20;
const LEAST_ROUNDS = 3;

/** A text that is made of another one, again and again, between two ends. */
export type Hostile = [start: string, again: string, end: string];

const textOf = ([start, again, end]: Hostile, characters: number): string =>
	start + again.repeat(Math.ceil(characters / again.length)) + end;

/** Of the processor: other programs on a busy machine do not count. */
function timeOf(work: (text: string) => unknown, text: string, times: number): number {
	const before = process.cpuUsage();
	for (let time = 0; time < times; time += 1) work(text);
	const { user, system } = process.cpuUsage(before);
	return user + system;
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
		const soFar = ratio(least);
		if (round >= LEAST_ROUNDS && (soFar < CLEARLY_LINEAR || soFar > CLEARLY_MORE)) break;
	}
	return ratio(least);
}

const ratio = (times: Map<number, number>): number =>
	(times.get(LARGEST) ?? 0) / Math.max(1, times.get(SMALLEST) ?? 0);
