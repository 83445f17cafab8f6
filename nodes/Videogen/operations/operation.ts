import type { INodeProperties } from 'n8n-workflow';
import type { ItemFile, ResolveFile } from '../files/inputs';
import { entryIn, type Field, type Parameters, propertiesOf, valueIn } from '../fields/field';
import { options } from '../fields/options';
import { binaryPropertyOutput, simplify } from '../fields/output';
import { waitSettingsFrom } from '../fields/wait';
import type { GenerationRequest } from '../service/contract/request';
import type { CreateSettings, Plan } from '../work/session';

/** A create that was validated, but not sent yet. */
export interface CreateValues {
	/** The same on every try of an item, because it contains references in place of files. */
	request: GenerationRequest;
	files: ItemFile[];
	settings: CreateSettings;
}

/** What an item asks for: a new task or an existing one. */
export type ItemValues = CreateValues | { taskId: string };

/** One entry of the Operation menu, and what belongs to it. */
export interface Operation {
	/** The name that workflows save. It never changes. */
	value: string;
	/** Whether it creates a task, which costs money. */
	isCreate: boolean;
	name: string;
	action: string;
	description: string;
	/** In the order of the editor. The wait and output fields and Options follow. */
	fields: INodeProperties[];
	wait: Field<boolean>;
	download: Field<boolean>;
	/** The Options entries that it offers. */
	options: INodeProperties[];
	/**
	 * Reads and validates what an item asks for.
	 * @param modelFamily Prefix of the model identifiers, from the credential.
	 * @throws InvalidParameter naming the field, the given value and what is allowed
	 */
	valuesFrom(
		parameters: Parameters,
		resolveFile: ResolveFile,
		modelFamily: string,
	): Promise<ItemValues>;
}

/** All fields that the editor shows for an operation, above Options. */
export const fieldsOf = ({ fields, wait, download }: Operation): INodeProperties[] => [
	...fields,
	...propertiesOf([wait, download, simplify]),
];

/**
 * How an item waits, and what its output contains.
 * @throws InvalidParameter
 */
export function settingsOf(
	{ wait, download, isCreate }: Operation,
	parameters: Parameters,
): Pick<Plan, 'wait' | 'downloadTo' | 'simplify'> {
	const entries = valueIn(parameters, options);
	const isWaiting = valueIn(parameters, wait);
	const isDownloading = (isWaiting || !isCreate) && valueIn(parameters, download);
	return {
		wait: isWaiting ? waitSettingsFrom(entries) : undefined,
		downloadTo: isDownloading ? entryIn(entries, binaryPropertyOutput) : undefined,
		simplify: valueIn(parameters, simplify),
	};
}
