import type { INodeProperties } from 'n8n-workflow';
import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import { optionsField, surchargeNotice } from '../parameters/options';
import { fieldsOf, type Operation } from './operation';

/** Every operation of the node, in the order of the menu. The editor and execute follow it. */
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
 * The same field, shown for some operations only. n8n's editor empties a collection that names the
 * changed parameter in its conditions, unless it does so by the path from the root.
 */
function shownFor(
	shown: Operation[],
	field: INodeProperties,
	parameter = field.type === 'collection' ? '/operation' : 'operation',
): INodeProperties {
	const show = { [parameter]: shown.map(({ value }) => value), ...field.displayOptions?.show };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

/** The fields of one operation before those that several have; each stands there once. */
const fields = [...new Set(operations.flatMap(fieldsOf))]
	.map((field) => ({ field, having: operations.filter((one) => fieldsOf(one).includes(field)) }))
	.sort((one, other) => Number(one.having.length > 1) - Number(other.having.length > 1));

const withOptions = operations.filter(({ options }) => options !== undefined);
const ownOptions = withOptions.flatMap((operation) =>
	(operation.options ?? []).map((entry) => shownFor([operation], entry, '/operation')),
);

/** The node's fields: the Operation menu, then what each operation shows. */
export const nodeProperties: INodeProperties[] = [
	operationMenu,
	...fields.map(({ field, having }) => shownFor(having, field)),
	...[optionsField(ownOptions).property, surchargeNotice].map((field) =>
		shownFor(withOptions, field),
	),
];
