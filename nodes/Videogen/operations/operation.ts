import type { INodeProperties } from 'n8n-workflow';
import type { ResolveFile } from '../inputFiles/inputFile';
import { type Parameters, valueOrDefault } from '../parameters/field';
import type { CreateSettings } from '../parameters/options';
import { type createDownload, simplify } from '../parameters/output';
import type { createWait } from '../parameters/wait';
import type { GenerationRequest } from '../service/contract/request';
import type { Entry } from '../tasks/entry';

/** A create that was checked and not sent yet. */
export interface PlannedCreate {
	/** The same on every try of an item: it has the names of files in n8n's storage, not links. */
	request: GenerationRequest;
	/** What is sent: the request with new links to its files, which expire. */
	toSend(): GenerationRequest;
	settings: CreateSettings;
}

/** What an item asks for: a new task, or one that exists. */
export type Intent = PlannedCreate | { taskId: string };

/** One entry of the Operation menu, and what belongs to it. */
export interface Operation {
	/** The name that workflows save (interface.md). */
	value: string;
	name: string;
	action: string;
	description: string;
	/** In the order of the editor; those of waiting and of the output follow. */
	fields: INodeProperties[];
	wait: typeof createWait;
	download: typeof createDownload;
	/** Entries of Options that it alone has; absent where the editor shows no Options. */
	options?: INodeProperties[];
	/**
	 * What an item asks for, checked.
	 * @param modelFamily Prefix of the model identifiers, from the credential.
	 * @throws InvalidParameter naming the field, what was given and what is allowed
	 */
	intent(parameters: Parameters, resolveFile: ResolveFile, modelFamily: string): Intent;
}

/** Every field that the editor shows for an operation. */
export const fieldsOf = ({ fields, wait, download }: Operation): INodeProperties[] => [
	...fields,
	...wait.properties,
	...download.properties,
	simplify.property,
];

/** How an item waits, and what it becomes. */
export const settingsOf = (
	{ wait, download }: Operation,
	parameters: Parameters,
): Pick<Entry, 'wait' | 'download' | 'simplify'> => ({
	wait: wait.from(parameters),
	download: download.from(parameters),
	simplify: valueOrDefault(parameters, simplify),
});
