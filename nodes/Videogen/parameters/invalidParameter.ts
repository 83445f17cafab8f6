import { shortened, UNFIT } from '../common/quotable';

/** Longer values are cut in messages; the field itself shows them whole. */
const MAX_SHOWN_CHARACTERS = 80;

/** A field as the editor shows it and as workflows save it; several have no name together. */
export interface NamedField {
	displayName: string;
	name?: string;
}

/**
 * A value of a parameter that the contract or the node does not allow. The message names the
 * field as the editor shows it, what was given and what is allowed.
 */
export class InvalidParameter extends Error {
	override readonly name = 'InvalidParameter';

	constructor(
		readonly field: NamedField,
		/** What is wrong, after the label of the field. */
		whatIsWrong: string,
		/** What is allowed, or what to do next; a whole sentence. */
		readonly advice: string,
		/** Whether nothing was given at all. */
		readonly isEmpty = false,
	) {
		super(`${field.displayName}${whatIsWrong}`);
	}
}

/** For a field in which there is nothing. */
export const emptyField = (field: NamedField, advice: string): InvalidParameter =>
	new InvalidParameter(field, ' is empty.', advice, true);

/** For a value that is none of those allowed. */
export const notAllowed = (field: NamedField, given: unknown, allowed: string): InvalidParameter =>
	isEmpty(given)
		? emptyField(field, allowed)
		: new InvalidParameter(field, `: ${shown(given)} is not allowed.`, allowed);

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
