/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';

/** For properties whose runs are quick; mutation tests ask for fewer of all runs. */
export const manyRuns = (): number => 20 * (fc.readConfigureGlobal()?.numRuns ?? 100);

/** What is wrong with a text that a person is to read. */
export function unreadable(text: unknown, maxCharacters: number): string[] {
	if (typeof text !== 'string') return [`no text but ${typeof text}`];
	return [
		...(text.trim() === '' ? ['empty'] : []),
		...(charactersIn(text) > maxCharacters ? [`${charactersIn(text)} characters long`] : []),
		...(isNotMeant(text) ? [`not meant for people: ${text}`] : []),
		...(/\p{Cc}/u.test(text) ? ['with control characters in it'] : []),
		...(/\p{Surrogate}/u.test(text) ? ['with half a character in it'] : []),
	];
}

/** A value that was given stands in quotes, and NaN after a colon: any text may have these letters. */
const isNotMeant = (text: string): boolean =>
	/\[object |undefined/.test(text) || /(?<!': )\bNaN\b/.test(text.replace(/".*"/s, ''));

/** As people count them: an emoji is one. */
const charactersIn = (text: string): number => Array.from(text).length;

/** Those of the test, and those of the built node, which runs outside of Jest's sandbox. */
const CLASSES: Array<{ prototype: object }> = [
	...[Object, Array, Function],
	...runInThisContext('[Object, Array, Function]'),
];

/** Names that a hostile reply could have left on every object. */
export const pollution = (): string[] => CLASSES.flatMap(({ prototype }) => Object.keys(prototype));
