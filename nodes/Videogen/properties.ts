import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operations/operation';

/** The node's fields: the Operation menu, then each operation's own, shown for it alone. */
export const nodeProperties = (operations: Operation[]): INodeProperties[] => [
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
	...operations.flatMap(({ value, fields }) => fields.map((field) => shownFor(value, field))),
];

const shownFor = (operation: string, field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { operation: [operation], ...field.displayOptions?.show },
	},
});
