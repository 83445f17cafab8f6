import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';
import { isJsonObject } from '../common/json';
import { isEmpty, notAllowed } from './invalidParameter';

/** The parameters of one item, expressions resolved. Values may still be of any type. */
export interface Parameters {
	/** The value of a parameter, or `null` when the node shows no such field now. */
	get(name: string): unknown;
}

/** One field of the node: how the editor shows it, and how its value is read. */
export interface Field<Value> {
	property: INodeProperties;
	/**
	 * What a value means; expressions often give numbers and switches as text.
	 * @throws InvalidParameter naming the field, the value and what is allowed
	 */
	read(given: unknown): Value;
}

/** The value of a field for an item. */
export const valueIn = <Value>(parameters: Parameters, { property, read }: Field<Value>): Value =>
	read(parameters.get(property.name));

/** The same where the editor may not show the field: its default then. */
export const valueOrDefault = <Value>(
	parameters: Parameters,
	{ property, read }: Field<Value>,
): Value => read(parameters.get(property.name) ?? property.default);

/** What the editor is told of fields. */
export const propertiesOf = (fields: Array<Pick<Field<unknown>, 'property'>>): INodeProperties[] =>
	fields.map(({ property }) => property);

/** What a field says itself; the rest follows from its kind. */
type Texts<Value> = Omit<INodeProperties, 'type' | 'typeOptions' | 'options' | 'default'> & {
	default: Value;
};

const fieldOf = <Value>(
	property: INodeProperties,
	allowed: string,
	parse: (given: unknown) => Value | undefined,
): Field<Value> => ({
	property,
	read(given) {
		const value = parse(given);
		if (value !== undefined) return value;
		throw notAllowed(property, given, allowed);
	},
});

/** As people write numbers; not every text that JavaScript would take for one. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Where there is no limit, zod 3 says null, and zod 4 a number beyond all that people mean. */
const limitOf = (value: number | null): number | undefined =>
	value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

/**
 * A number within the limits of the schema. The editor is not told the largest: it would put that,
 * and so the dearest video, in place of a larger one without a word.
 */
export const numberField = (
	texts: Texts<number>,
	schema: z.ZodNumber,
	allowed: string,
): Field<number> => {
	const typeOptions = {
		minValue: limitOf(schema.minValue),
		...(schema.isInt && { numberPrecision: 0 }),
	};
	return fieldOf({ ...texts, type: 'number', typeOptions }, allowed, (given) => {
		const isNumberText = typeof given === 'string' && NUMBER.test(given.trim());
		return schema.safeParse(isNumberText ? Number(given) : given).data;
	});
};

const SWITCH_VALUES = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
]);

export const switchField = (texts: Texts<boolean>): Field<boolean> =>
	fieldOf({ ...texts, type: 'boolean' }, 'It is either true or false.', (given) =>
		SWITCH_VALUES.get(typeof given === 'string' ? given.trim().toLowerCase() : given),
	);

/** A menu with its default on top, as people expect the recommended choice there. */
export const menuField = <Choice extends string>(
	texts: Texts<Choice>,
	choices: readonly Choice[],
	names: Record<Choice, Omit<INodePropertyOptions, 'value'>>,
): Field<Choice> => {
	const order = [texts.default, ...choices.filter((choice) => choice !== texts.default)];
	const options = order.map((value) => ({ ...names[value], value }));
	return fieldOf(
		{ ...texts, type: 'options', options },
		`It is one of: ${choices.join(', ')}.`,
		(given) => choices.find((choice) => choice === given),
	);
};

/** Text as typed; numbers and switches that an expression gave become text. */
export const textField = (
	texts: Texts<string> & Pick<INodeProperties, 'typeOptions'>,
	schema: z.ZodString,
	allowed: string,
): Field<string> =>
	fieldOf({ ...texts, type: 'string' }, allowed, (given) => {
		const isPlain = typeof given === 'number' || typeof given === 'boolean';
		return schema.safeParse(isPlain ? String(given) : given).data;
	});

/** A collection of optional entries, which the editor lists by name. */
export const collectionField = (
	texts: Pick<INodeProperties, 'displayName' | 'name' | 'displayOptions'>,
	entries: INodeProperties[],
): Field<IDataObject> => {
	const options = [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName));
	return fieldOf(
		{ ...texts, type: 'collection', placeholder: 'Add option', default: {}, options },
		'Add its entries one by one.',
		(given) => (isEmpty(given) ? {} : isJsonObject(given) ? given : undefined),
	);
};

/** The value of a collection's entry; `undefined` when the user did not add it. */
export const addedEntry = <Value>(
	entries: IDataObject,
	{ property, read }: Field<Value>,
): Value | undefined =>
	entries[property.name] === undefined ? undefined : read(entries[property.name]);

/** The value of a collection's entry; its default when it is not there. */
export const entryOrDefault = <Value>(
	entries: IDataObject,
	{ property, read }: Field<Value>,
): Value => read(entries[property.name] ?? property.default);
