/** Gives numbers from 0 to below 1. */
export type Random = () => number;

/** How likely each of some names is, compared with the others. */
export type Weights<Name extends string> = Partial<Record<Name, number>>;

/** One of the names, by their weights. */
export function pick<Name extends string>(random: Random, weights: Weights<Name>): Name {
	let sum = 0;
	for (const name in weights) sum += weights[name] ?? 0;
	let left = random() * sum;
	for (const name in weights) {
		left -= weights[name] ?? 0;
		if (left < 0) return name;
	}
	throw new Error('Nothing to pick from');
}
