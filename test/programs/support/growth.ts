/** How many characters the texts have of which times are compared. */
const SMALL = 500;
const LARGE = 40_500;

/** Linear work has a growth of about 1, or a few where it fills the memory, quadratic work one of 81. */
export const MOST_GROWTH = 9;
const CLEARLY_LINEAR = 2;
const CLEARLY_MORE = 30;

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
	const [small, large] = [textOf(hostile, SMALL), textOf(hostile, LARGE)];
	// What runs for the first time is compiled first.
	for (const text of [small, large]) timeOf(work, text, 2);
	let [leastOfSmall, leastOfLarge, growth] = [Infinity, Infinity, 0];
	for (let round = 1; round <= ROUNDS; round += 1) {
		leastOfSmall = Math.min(leastOfSmall, timeOf(work, small, LARGE / SMALL));
		leastOfLarge = Math.min(leastOfLarge, timeOf(work, large, 1));
		growth = leastOfLarge / Math.max(1, leastOfSmall);
		if (round >= LEAST_ROUNDS && (growth < CLEARLY_LINEAR || growth > CLEARLY_MORE)) break;
	}
	return growth;
}
