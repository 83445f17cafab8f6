import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import { InvalidParameter, isEmpty, notAllowed } from './invalidParameter';
import { LABELS } from './labels';

/** The parameters of one item, expressions resolved. Values may still be of any type. */
export interface Parameters {
	/** The value of a parameter, or `null` when the node shows no such field now. */
	get(name: string): unknown;
}

/**
 * A collection's entries; only those that the user added are there.
 * @throws InvalidParameter when it is no collection at all
 */
export function collection(parameters: Parameters, name: 'options' | 'waitOptions'): IDataObject {
	const value = parameters.get(name);
	if (isEmpty(value)) return {};
	if (isJsonObject(value)) return value;
	throw new InvalidParameter(LABELS[name], notAllowed(value), 'Add its entries one by one.');
}

/** As people write numbers; not every text that JavaScript would take for one. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Expressions often give numbers as text; anything else stays as it is, to be refused by name. */
export function numberFrom(value: unknown): unknown {
	return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
}

/** The same for switches. */
export function booleanFrom(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const word = value.trim().toLowerCase();
	return word === 'true' ? true : word === 'false' ? false : value;
}

/** What is allowed for a switch. */
export const TRUE_OR_FALSE = 'It is either true or false.';

/**
 * The value of a switch.
 * @throws InvalidParameter when it is neither on nor off
 */
export function switchFrom(field: string, given: unknown): boolean {
	const value = booleanFrom(given);
	if (typeof value === 'boolean') return value;
	throw new InvalidParameter(field, notAllowed(given), TRUE_OR_FALSE);
}

/**
 * The value of a menu.
 * @throws InvalidParameter when the menu has no such choice
 */
export function choiceFrom<Choice extends string>(
	field: string,
	choices: readonly Choice[],
	given: unknown,
): Choice {
	const known = choices.find((choice) => choice === given);
	if (known !== undefined) return known;
	throw new InvalidParameter(field, notAllowed(given), `It is one of: ${choices.join(', ')}.`);
}

/** Text as typed; numbers that an expression gave become text. */
export function textFrom(value: unknown): unknown {
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? '');
}
