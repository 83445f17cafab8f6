import type { INodeProperties } from 'n8n-workflow';
import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import type { Operation } from './operation';

/** Every operation of the node, in the order of the menu. The editor and execute follow it. */
export const operations: Operation[] = [
	createTextVideo,
	createImageVideo,
	createReferenceVideo,
	getTask,
];

/** The node's fields: the Operation menu, then each operation's own, shown for it alone. */
export const nodeProperties: INodeProperties[] = [
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

function shownFor(operation: string, field: INodeProperties): INodeProperties {
	const show = { operation: [operation], ...field.displayOptions?.show };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}
