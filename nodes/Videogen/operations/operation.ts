import type { INodeProperties } from 'n8n-workflow';
import type { ItemFiles } from '../inputFiles/inputFile';
import type { Parameters } from '../parameters/values';
import type { PlannedRequest } from '../parameters/plannedRequest';

/** What an item asks for: a new task, or one that exists. */
export type Intent = { kind: 'create'; request: PlannedRequest } | { kind: 'read'; taskId: string };

/** What an operation needs to know besides the item's parameters. */
export interface IntentSettings {
	/** Prefix of the model identifiers, from the credential. */
	modelFamily: string;
	/** The item's binary fields. */
	files: ItemFiles;
}

/** One entry of the Operation menu, with all that belongs to it. */
export interface Operation {
	/** The saved name (interface.md). */
	value: string;
	name: string;
	action: string;
	description: string;
	/**
	 * Its fields in the order of the editor. A field that several operations share is the same
	 * object in each; the editor's conditions are added where the node is put together.
	 */
	fields: INodeProperties[];
	/**
	 * Turns an item's parameters into what is to be done, sending nothing.
	 * @throws InvalidParameter naming the field, what was given and what is allowed
	 */
	intent(parameters: Parameters, settings: IntentSettings): Intent;
}
