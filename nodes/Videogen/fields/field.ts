import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';
import { isJsonObject } from '../ground/json';
import { capitalised } from '../ground/text';
import { isEmpty, notAllowed } from '../ground/words';

/** The parameters of one item, expressions resolved. A value may be of any type. */
export interface Parameters {
	/** The value of a parameter; `null` when the editor shows no such field. */
	get(name: string): unknown;
}

/** A field of the node: how the editor shows it, and how its value is read. */
export interface Field<Value> {
	property: INodeProperties;
	/**
	 * The value in its own type: expressions often give numbers and switches as text.
	 * @throws InvalidParameter naming the field, the value and what is allowed
	 */
	read(given: unknown): Value;
}

/** The value of a field for an item. */
export const valueIn = <Value>(parameters: Parameters, { property, read }: Field<Value>): Value =>
	read(parameters.get(property.name));

/** The value of a field for an item, or its default when the editor does not show the field. */
export const valueOrDefault = <Value>(
	parameters: Parameters,
	{ property, read }: Field<Value>,
): Value => read(parameters.get(property.name) ?? property.default);

export const propertiesOf = (fields: Array<Pick<Field<unknown>, 'property'>>): INodeProperties[] =>
	fields.map(({ property }) => property);

/** The texts of a field and its default; the rest follows from the kind of field. */
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

/** Numbers as people write them. JavaScript reads more texts as numbers, an empty one among them. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * A number within the limits of the schema. The editor is not told them: it would round and clamp what
 * is typed without a word, and so order another video.
 * @param allowed The end of a sentence that begins with “It is”.
 */
export const numberField = (
	texts: Texts<number>,
	schema: z.ZodNumber,
	allowed: string,
): Field<number> => {
	const limits = capitalised(allowed);
	const hint = texts.hint ? `${limits}. ${texts.hint}` : limits;
	const property: INodeProperties = { ...texts, type: 'number', hint };
	const read = (given: unknown) => {
		const isNumberText = typeof given === 'string' && NUMBER.test(given.trim());
		return schema.safeParse(isNumberText ? Number(given) : given).data;
	};
	const plain = fieldOf(property, `It is ${allowed}.`, read);
	const asDigits = fieldOf(property, `It is ${allowed}. ${ONLY_DIGITS} ${texts.default}.`, read);
	return {
		property,
		read: (given) => (isAlmostNumber(given) ? asDigits : plain).read(given),
	};
};

const ONLY_DIGITS = 'Write it in digits alone, with a point and no comma, such as';

/** Such as `4,5` and `5 seconds`. */
const isAlmostNumber = (given: unknown): boolean =>
	typeof given === 'string' && /\d/.test(given) && !NUMBER.test(given.trim());

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

/** A menu. Its default comes first, where people look for the recommended choice. */
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
		(given) => {
			const text = typeof given === 'string' ? given.trim().toLowerCase() : given;
			return choices.find((choice) => choice.toLowerCase() === text);
		},
	);
};

/** A text; a number or a switch that an expression gives becomes one. */
export const textField = (
	texts: Texts<string> & Pick<INodeProperties, 'typeOptions'>,
	schema: z.ZodString,
	allowed: string,
): Field<string> =>
	fieldOf({ ...texts, type: 'string' }, allowed, (given) => {
		const isPlain = typeof given === 'number' || typeof given === 'boolean';
		return schema.safeParse(isPlain ? String(given) : given).data;
	});

/** A collection of optional entries. */
export const collectionField = (
	texts: Pick<INodeProperties, 'displayName' | 'name'>,
): Field<IDataObject> =>
	fieldOf(
		{ ...texts, type: 'collection', placeholder: 'Add option', default: {} },
		'Add its entries one by one.',
		(given) => (isEmpty(given) ? {} : isJsonObject(given) ? given : undefined),
	);

/** The value of an entry of a collection; `undefined` when the person did not add it. */
export const addedEntry = <Value>(
	entries: IDataObject,
	{ property, read }: Field<Value>,
): Value | undefined =>
	entries[property.name] === undefined ? undefined : read(entries[property.name]);

/** The value of an entry of a collection, or its default when the person did not add it. */
export const entryOrDefault = <Value>(
	entries: IDataObject,
	{ property, read }: Field<Value>,
): Value => read(entries[property.name] ?? property.default);
