/** Gives numbers from 0 to below 1. */
export type Random = () => number;

/** The same numbers for the same seed, on every machine (mulberry32). */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** How likely each of some names is, compared with the others. */
export type Weights<Name extends string> = Partial<Record<Name, number>>;

/** One of the names, by their weights. */
export function pick<Name extends string>(random: Random, weights: Weights<Name>): Name {
	const names: Name[] = [];
	let sum = 0;
	for (const name in weights) {
		names.push(name);
		sum += weights[name] ?? 0;
	}
	let left = random() * sum;
	const found = names.find((name) => (left -= weights[name] ?? 0) < 0) ?? names[0];
	if (found === undefined) throw new Error('Nothing to pick from');
	return found;
}

/** One of a list, by its position from 0 to below 1. */
export const at = <Value>(list: Value[], position: number): Value | undefined =>
	list[Math.floor(position * list.length)];
