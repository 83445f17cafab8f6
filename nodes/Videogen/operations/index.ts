import type { INodeProperties } from 'n8n-workflow';
import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import { optionsField, surchargeNotice } from '../parameters/options';
import { fieldsOf, type Operation } from './operation';

/** Every operation of the node, in the order of the menu. */
export const operations: Operation[] = [
	createTextVideo,
	createImageVideo,
	createReferenceVideo,
	getTask,
];

export const operationMenu: INodeProperties = {
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
};

/**
 * A field, shown for some operations only. When the operation changes, n8n's editor empties a
 * collection whose condition names it without the path from the root.
 */
function shownFor(
	shown: Operation[],
	field: INodeProperties,
	parameter = field.type === 'collection' ? '/operation' : 'operation',
): INodeProperties {
	const show = { [parameter]: shown.map(({ value }) => value), ...field.displayOptions?.show };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

/** Each field once, those of a single operation first. */
const fields = [...new Set(operations.flatMap(fieldsOf))]
	.map((field) => ({ field, having: operations.filter((one) => fieldsOf(one).includes(field)) }))
	.sort((one, other) => Number(one.having.length > 1) - Number(other.having.length > 1));

const withOptions = operations.filter(({ options }) => options !== undefined);
const ownOptions = withOptions.flatMap((operation) =>
	(operation.options ?? []).map((entry) => shownFor([operation], entry, '/operation')),
);

/** All fields of the node. */
export const nodeProperties: INodeProperties[] = [
	operationMenu,
	...fields.map(({ field, having }) => shownFor(having, field)),
	...[optionsField(ownOptions).property, surchargeNotice].map((field) =>
		shownFor(withOptions, field),
	),
];
