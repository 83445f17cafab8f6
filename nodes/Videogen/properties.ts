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
	return Array.from(users, ([field, values]) => shownFor(field, values));
}

const shownFor = (field: INodeProperties, operationValues: string[]): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { operation: operationValues, ...field.displayOptions?.show },
	},
});
