import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';
import { isJsonObject } from '../shared/json';
import { emptyExpression, emptyField, isEmpty, notAllowed } from '../shared/messages';
import { bare } from '../shared/text';
import { refusePlainExpression, type WrittenTexts } from './expressionGaps';

/** The parameters of one item, with expressions resolved. A value can be of any type. */
export interface Parameters extends WrittenTexts {
	/** A parameter's value, or `null` if the editor does not show its field. */
	get(name: string): unknown;
}

/** A field of the node: how the editor shows it, and how its value is read. */
export interface Field<Value> {
	property: INodeProperties;
	/**
	 * The typed value, or the default if an optional field is empty.
	 * @throws InvalidParameter naming the field, the value and what is allowed
	 */
	read(given: unknown): Value;
}

/**
 * A field's value for an item, or its default if the editor does not show it.
 * @throws InvalidParameter, also for a required field whose expression gave nothing
 */
export function valueIn<Value>(parameters: Parameters, { property, read }: Field<Value>): Value {
	const { name, required } = property;
	const given = parameters.get(name);
	const isExpression = String(parameters.written[name] ?? '').startsWith('=');
	if (required && isEmpty(given) && isExpression) throw emptyExpression(property);
	return read(given);
}

/** The value of a collection entry, or its default if the user did not add it. */
export const entryIn = <Value>(entries: IDataObject, { property, read }: Field<Value>): Value =>
	read(entries[property.name]);

/** The value of a collection entry, or `undefined` if it was not added or is empty. */
export const addedEntry = <Value>(
	entries: IDataObject,
	{ property, read }: Field<Value>,
): Value | undefined =>
	isEmpty(entries[property.name]) ? undefined : read(entries[property.name]);

export const propertiesOf = (fields: Array<Pick<Field<unknown>, 'property'>>): INodeProperties[] =>
	fields.map(({ property }) => property);

/** A field's texts and default. The rest follows from the kind of field. */
type Texts<Value> = Omit<INodeProperties, 'type' | 'options' | 'default'> & { default: Value };

/**
 * Builds a field of any kind. The rules for blanks, empty and refused values live here, for all.
 * @param allowed What is allowed, as a full sentence.
 * @param parse Returns `undefined` for a value that does not fit.
 */
export const fieldOf = <Value>(
	property: INodeProperties,
	allowed: string,
	parse: (given: unknown) => Value | undefined,
): Field<Value> => ({
	property,
	read(value) {
		const given = typeof value === 'string' ? bare(value) : value;
		if (isEmpty(given) && property.required) throw emptyField(property, allowed);
		refusePlainExpression(property, given);
		const parsed = parse(isEmpty(given) ? property.default : given);
		if (parsed !== undefined) return parsed;
		throw notAllowed(property, value, allowed);
	},
});

/** Numbers as people write them. JavaScript also converts other texts, even an empty one. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * A number within the limits of the schema. The editor does not get these limits: it would silently
 * round and clamp the input, and a different video would be created.
 * @param allowed Completes a sentence that starts with “Enter”.
 */
export const numberField = (
	texts: Texts<number>,
	schema: z.ZodNumber,
	allowed: string,
): Field<number> =>
	fieldOf(
		{ ...texts, type: 'number', hint: allowed.replace(/^./, (first) => first.toUpperCase()) },
		`Enter ${allowed}, in digits and without a comma, such as ${texts.default}.`,
		(given) => {
			const isNumberText = typeof given === 'string' && NUMBER.test(given);
			return schema.safeParse(isNumberText ? Number(given) : given).data;
		},
	);

/** Normalizes a value for menus and switches, which ignore case. */
const plain = (given: unknown): unknown =>
	typeof given === 'string' ? given.toLowerCase() : given;

export const switchField = (texts: Texts<boolean>): Field<boolean> =>
	fieldOf({ ...texts, type: 'boolean' }, 'Use true or false.', (given) =>
		[true, false].find((value) => value === plain(given) || String(value) === plain(given)),
	);

/**
 * A menu.
 * @param names What the editor shows for each choice, in this order: from five on, n8n wants them in
 *   the order of the alphabet. In a shorter menu, the recommended one comes first.
 */
export const menuField = <Choice extends string>(
	texts: Texts<Choice>,
	choices: readonly Choice[],
	names: Record<Choice, Omit<INodePropertyOptions, 'value'>>,
): Field<Choice> => {
	const options = Object.entries<Omit<INodePropertyOptions, 'value'>>(names).map(
		([value, name]) => ({ ...name, value }),
	);
	return fieldOf(
		{ ...texts, type: 'options', options },
		`Use one of: ${choices.join(', ')}.`,
		(given) => choices.find((choice) => choice.toLowerCase() === plain(given)),
	);
};

/** A text field. Numbers and booleans that an expression returns become text. */
export const textField = (
	texts: Texts<string>,
	schema: z.ZodString,
	allowed: string,
): Field<string> =>
	fieldOf({ ...texts, type: 'string' }, allowed, (given) => {
		const isPlain = typeof given === 'number' || typeof given === 'boolean';
		return schema.safeParse(isPlain ? String(given) : given).data;
	});

/** A collection of optional entries. Each entry is read as a field of its own. */
export const collectionField = (
	texts: Pick<INodeProperties, 'displayName' | 'name'>,
): Field<IDataObject> => ({
	property: { ...texts, type: 'collection', placeholder: 'Add option', default: {} },
	read(given) {
		if (isEmpty(given)) return {};
		if (isJsonObject(given)) return given;
		throw notAllowed(texts, given, 'Add its entries one by one.');
	},
});
