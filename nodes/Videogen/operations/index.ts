import type { INodeProperties } from 'n8n-workflow';
import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import { menuField } from '../fields/field';
import { options } from '../fields/options';
import { InvalidParameter, notAllowed } from '../shared/messages';
import { fieldsOf, type Operation } from './operation';

/** All operations, in menu order. */
export const operations: Operation[] = [
	createTextVideo,
	createImageVideo,
	createReferenceVideo,
	getTask,
];

export const operationMenu: INodeProperties = menuField(
	{
		displayName: 'Operation',
		name: 'operation',
		noDataExpression: true,
		default: createTextVideo.value,
	},
	operations.map(({ value }) => value),
	Object.fromEntries(
		operations.map(({ value, name, action, description }) => [
			value,
			{ name, action, description },
		]),
	),
).property;

/** n8n adds this entry to the menu of every node that has a credential. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/**
 * The operation that a workflow saved.
 * @throws InvalidParameter
 */
export function operationFrom(value: unknown): Operation {
	const operation = operations.find((one) => one.value === value);
	if (operation !== undefined) return operation;
	if (value !== CUSTOM_API_CALL) throw notAllowed(operationMenu, value, 'Choose one in the menu.');
	throw new InvalidParameter(
		operationMenu,
		': this node does not make custom API calls.',
		"Use n8n's HTTP Request node: set Authentication to Predefined Credential Type, and Credential Type to Videogen Tasks API.",
	);
}

/** Merges lists without duplicates, from the end, where the operations share their fields. */
const merged = <T>(lists: T[][]): T[] => {
	const fromEnd = lists.reverse().flatMap((list) => [...list].reverse());
	return [...new Set(fromEnd)].reverse();
};

/**
 * Lists each property once and shows it for the operations that have it. No collection may be
 * limited to some operations: when the operation changes, n8n's editor empties a collection whose
 * display condition names it.
 */
const shownByOperation = (
	having: (operation: Operation) => INodeProperties[],
	parameter: string,
): INodeProperties[] =>
	merged(operations.map(having)).map((property) => {
		const shown = operations.filter((one) => having(one).includes(property));
		if (shown.length === operations.length) return property;
		const also = property.displayOptions?.show;
		const show = { [parameter]: shown.map(({ value }) => value), ...also };
		return { ...property, displayOptions: { show } };
	});

const entries = shownByOperation(({ options: own }) => own, '/operation');

/** n8n wants long collections sorted by label. */
const byLabel = (one: INodeProperties, other: INodeProperties): number =>
	one.displayName.localeCompare(other.displayName);

export const nodeProperties: INodeProperties[] = [
	operationMenu,
	...shownByOperation(fieldsOf, 'operation'),
	{
		...options.property,
		options: entries.sort(byLabel),
	},
];
