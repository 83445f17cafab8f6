import { asPlainText, shortened } from '../common/quotable';

/** Longer values are shortened in messages. */
const MAX_SHOWN_CHARACTERS = 80;

/** The label of a field, or of several together, and the name of a single one. */
export interface NamedField {
	displayName: string;
	name?: string;
}

/** A value that the contract or the node does not allow, told by the label of its field. */
export class InvalidParameter extends Error {
	override readonly name = 'InvalidParameter';

	constructor(
		readonly field: NamedField,
		/** The end of a sentence that begins with the label of the field. */
		whatIsWrong: string,
		/** What is allowed, or what to do next, as a whole sentence. */
		readonly advice: string,
		/** Whether nothing was given at all. */
		readonly isEmpty = false,
	) {
		super(`${field.displayName}${whatIsWrong}`);
	}
}

export const emptyField = (field: NamedField, advice: string): InvalidParameter =>
	new InvalidParameter(field, ' is empty.', advice, true);

/** @param allowed What is allowed, as a whole sentence. */
export const notAllowed = (field: NamedField, given: unknown, allowed: string): InvalidParameter =>
	isEmpty(given)
		? emptyField(field, allowed)
		: new InvalidParameter(field, `: ${shown(given)} is not allowed.`, allowed);

/** Whether a field holds nothing but blanks, or an expression gave nothing. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A given value as a message shows it. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	const text = typeof value === 'string' ? `"${value}"` : asText(value);
	return asPlainText(shortened(text, MAX_SHOWN_CHARACTERS));
}

/** Expressions can give what cannot be JSON, such as an object that holds itself. */
function asText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return 'what was given';
	}
}
