import type { INodeProperties } from 'n8n-workflow';
import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import { options, surchargeNotice } from './options';
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

/** What stands in any of the lists, once, and in the order of each list. */
function merged<T>(lists: T[][]): T[] {
	const all: T[] = [];
	for (const list of lists) {
		let at = all.length;
		for (const one of [...list].reverse()) {
			const known = all.indexOf(one);
			if (known < 0) all.splice(at, 0, one);
			else at = known;
		}
	}
	return all;
}

/**
 * Each property once, shown for the operations that have it. No collection may be among those of some
 * only: when the operation changes, n8n's editor empties a collection whose condition names it.
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

/** By the alphabet, as n8n wants it; what is only for administrators stands last. */
const byLabel = (one: INodeProperties, other: INodeProperties): number =>
	Number(isLast(one)) - Number(isLast(other)) || one.displayName.localeCompare(other.displayName);
const isLast = ({ description = '' }: INodeProperties): boolean =>
	description.startsWith('For administrators');

/** All fields of the node. */
export const nodeProperties: INodeProperties[] = [
	operationMenu,
	...shownByOperation(fieldsOf, 'operation'),
	{
		...options.property,
		options: entries.sort(byLabel),
	},
	surchargeNotice,
];
