import type { INodeProperties } from 'n8n-workflow';
import type { ItemFile, ResolveFile } from '../files/inputs';
import { type Field, type Parameters, propertiesOf, valueIn } from './field';
import { type CreateSettings, options } from './options';
import { downloadSettingsFrom, simplify } from './output';
import { waitSettingsFrom } from './wait';
import type { GenerationRequest } from '../service/contract/request';
import type { Item } from '../work/order';

/** A create that was checked and not sent yet. */
export interface PlannedCreate {
	/** The same on every try of an item: it has references in place of its files. */
	request: GenerationRequest;
	files: ItemFile[];
	settings: CreateSettings;
}

/** What an item asks for: a new task, or one that exists. */
export type Intent = PlannedCreate | { taskId: string };

/** One entry of the Operation menu, and what belongs to it. */
export interface Operation {
	/** The name that workflows save: it never changes. */
	value: string;
	/** Whether it creates a task, which costs money. */
	isCreate: boolean;
	name: string;
	action: string;
	description: string;
	/** In the order of the editor; those of waiting, of the output and Options follow. */
	fields: INodeProperties[];
	wait: Field<boolean>;
	download: Field<boolean>;
	/** The entries of Options that it has. */
	options: INodeProperties[];
	/**
	 * What an item asks for, checked.
	 * @param modelFamily Prefix of the model identifiers, from the credential.
	 * @throws InvalidParameter naming the field, what was given and what is allowed
	 */
	intent(parameters: Parameters, resolveFile: ResolveFile, modelFamily: string): Promise<Intent>;
}

/** Every field that the editor shows for an operation, above Options. */
export const fieldsOf = ({ fields, wait, download }: Operation): INodeProperties[] => [
	...fields,
	...propertiesOf([wait, download, simplify]),
];

/**
 * How an item waits, and what it becomes.
 * @throws InvalidParameter
 */
export function settingsOf(
	{ wait, download, isCreate }: Operation,
	parameters: Parameters,
): Pick<Item, 'wait' | 'download' | 'simplify'> {
	const entries = valueIn(parameters, options);
	const isWaiting = valueIn(parameters, wait);
	const isDownloading = (isWaiting || !isCreate) && valueIn(parameters, download);
	return {
		wait: isWaiting ? waitSettingsFrom(entries) : undefined,
		download: isDownloading ? downloadSettingsFrom(entries) : undefined,
		simplify: valueIn(parameters, simplify),
	};
}
