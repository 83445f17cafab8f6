import fc from 'fast-check';

/** The same in every run of the tests; FUZZ_SEED plays others. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_301);

/** Settings for `fc.assert`: a fixed number of runs from the seed, both printed at the end. */
export function fuzzed(what: string, numRuns: number): fc.Parameters<unknown> {
	process.stdout.write(`${what}: ${numRuns} runs, seed ${SEED}\n`);
	return { seed: SEED, numRuns };
}

/** For properties whose runs are quick; mutation tests ask for fewer of all runs. */
export const manyRuns = (): number => 20 * (fc.readConfigureGlobal()?.numRuns ?? 100);

/** What is wrong with a text that a person is to read. */
export function unreadable(text: unknown, maxCharacters: number): string[] {
	if (typeof text !== 'string') return [`no text but ${typeof text}`];
	return [
		...(text.trim() === '' ? ['empty'] : []),
		...(text.length > maxCharacters ? [`${text.length} characters long`] : []),
		...(/\[object |undefined|NaN\b/.test(text) ? [`not meant for people: ${text}`] : []),
		...(/\p{Cc}/u.test(text) ? ['with control characters in it'] : []),
		...(/\p{Surrogate}/u.test(text) ? ['with half a character in it'] : []),
	];
}

/** Names that a hostile reply could have left on every object. */
export const pollution = (): string[] => [
	...Object.keys(Object.prototype),
	...Object.keys(Array.prototype),
	...Object.keys(Function.prototype),
];
