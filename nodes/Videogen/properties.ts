import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operations/operation';

/** The node's fields: the Operation menu, then each operation's own, shown for it alone. */
export const propertiesOf = (operations: Operation[]): INodeProperties[] => [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: 'createTextVideo',
	},
	...fieldsWithOperations(operations),
];

/** A field that several operations share is one field in the editor, so that its value stays. */
function fieldsWithOperations(operations: Operation[]): INodeProperties[] {
	const users = new Map<INodeProperties, string[]>();
	for (const { value, fields } of operations) {
		for (const field of fields) users.set(field, [...(users.get(field) ?? []), value]);
	}
	const order = mergedInOrder(operations.map(({ fields }) => fields));
	return order.map((field) => shownFor(field, users.get(field) ?? []));
}

/** One list that keeps the order of every given list: no field moves before its operation's own. */
function mergedInOrder<T>(lists: T[][]): T[] {
	const open = lists.filter((list) => list.length > 0);
	const heads = open.flatMap((list) => list.slice(0, 1));
	const next = heads.find((head) => open.every((list) => list.indexOf(head) <= 0));
	if (next === undefined) return [];
	return [next, ...mergedInOrder(open.map((list) => list.filter((one) => one !== next)))];
}

const shownFor = (field: INodeProperties, operationValues: string[]): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { operation: operationValues, ...field.displayOptions?.show },
	},
});
