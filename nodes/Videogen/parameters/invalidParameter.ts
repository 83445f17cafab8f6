import { shortened, UNFIT } from '../common/quotable';

const IS_EMPTY = 'is empty';
/** What is wrong with a field in which there is nothing. */
export const EMPTY = `${IS_EMPTY}.`;

/** Longer values are cut in messages; the field itself shows them whole. */
const MAX_SHOWN_CHARACTERS = 80;

/**
 * A value of a parameter that the contract or the node does not allow. The message names the
 * field as the editor shows it, what was given and what is allowed.
 */
export class InvalidParameter extends Error {
	override readonly name = 'InvalidParameter';

	/** Whether nothing was given at all; what is wrong begins with `EMPTY` then. */
	readonly isEmpty: boolean;

	constructor(
		/** The field's label in the editor. */
		readonly field: string,
		whatIsWrong: string,
		/** What is allowed, or what to do next; a whole sentence. */
		readonly advice: string,
	) {
		// What is wrong goes on with the sentence or is one of its own.
		super(`${field}${/^(?:is|are|has) /.test(whatIsWrong) ? '' : ':'} ${whatIsWrong}`);
		this.isEmpty = whatIsWrong.startsWith(IS_EMPTY);
	}
}

/** What is wrong with a value that is none of those allowed. */
export const notAllowed = (value: unknown): string =>
	isEmpty(value) ? EMPTY : `${shown(value)} is not allowed.`;

/** Whether a field was left empty, spaces aside, or an expression gave nothing. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A given value as a message shows it. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	const text = typeof value === 'string' ? `"${value}"` : asText(value);
	return shortened(text.replace(UNFIT, ' '), MAX_SHOWN_CHARACTERS);
}

/** Expressions can give what no JSON can say: objects that hold themselves, for example. */
function asText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return 'what was given';
	}
}
