import { nodeProperties } from '../../../nodes/Videogen/operations';
import { type Operation, settingsOf } from '../../../nodes/Videogen/operations/operation';
import { invalidOf, itemFilesWith, refusalOfPlan } from '../../support/itemFilesScene';

export { invalidOf, refusalOfPlan };

/** The label of the field whose value must be refused. */
export const labelOf = (use: () => unknown): string => invalidOf(use).field.displayName;

/** Values with which every operation is valid. */
export const GOOD: Record<string, unknown> = {
	...Object.fromEntries(
		nodeProperties
			.flatMap((field) => [field, ...(field.type === 'collection' ? (field.options ?? []) : [])])
			.map((field) => [field.name, 'default' in field ? field.default : undefined]),
	),
	...{ prompt: 'A fox', firstFrameUrl: 'https://e.com/first.png', taskId: 'task_1' },
	...{ imageUrls: 'https://e.com/a.png', waitForCompletion: true, options: {} },
};

/** What an operation makes of these values, in place of those that are good. */
export async function planned(
	operation: Operation,
	values: Record<string, unknown>,
	files = itemFilesWith({}),
) {
	const given: Record<string, unknown> = { ...GOOD, ...values };
	const get = (name: string) => given[name] ?? null;
	const parameters = { get, written: {}, evaluate: () => undefined };
	const itemValues = await operation.valuesFrom(parameters, files, 'videogen-2.5');
	return { itemValues, ...settingsOf(operation, parameters) };
}

/** The request that a create operation makes of these values. */
export async function requestOf(operation: Operation, values: Record<string, unknown>) {
	const { itemValues } = await planned(operation, values);
	if ('request' in itemValues) return itemValues.request;
	throw new Error('It creates nothing');
}
