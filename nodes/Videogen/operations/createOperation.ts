import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type ItemFile, type ResolveFile, withFiles } from '../inputFiles/inputFile';
import { type Field, type Parameters, valueIn } from '../parameters/field';
import { createSettingsFrom, optionsField, sentOptions } from '../parameters/options';
import { createDownload } from '../parameters/output';
import { videoFields, videoProperties } from '../parameters/video';
import { createWait } from '../parameters/wait';
import { modelOf, type Workflow } from '../service/contract/limits';
import { requestSchemas } from '../service/contract/request';
import type { Operation } from './operation';

/** What sets one create operation apart from the others. */
interface CreateOperation extends Pick<Operation, 'value' | 'name' | 'action' | 'description'> {
	workflow: Workflow;
	prompt: Field<string>;
	/** Fields of its own besides the prompt. */
	ownFields: INodeProperties[];
	/** Entries of the Options collection besides those that all create operations have. */
	ownOptions?: INodeProperties[];
	/**
	 * Its own properties of the request, files still as such; one that is `undefined` is not sent.
	 * Throws InvalidParameter.
	 */
	ownProperties(parameters: Parameters, resolveFile: ResolveFile, options: IDataObject): object;
}

const options = optionsField();

/** A create operation: its own fields first, then those that all of them share. */
export function createOperation(operation: CreateOperation): Operation {
	const { prompt, ownFields, ownOptions = [], workflow } = operation;
	return {
		...operation,
		fields: [prompt.property, ...ownFields, ...videoFields],
		wait: createWait,
		download: createDownload,
		options: ownOptions,
		intent(parameters, resolveFile, modelFamily) {
			const entries = valueIn(parameters, options);
			const wanted = {
				model: modelOf(modelFamily, workflow),
				prompt: valueIn(parameters, prompt),
				...videoProperties(parameters),
				...sentOptions(entries),
				...operation.ownProperties(parameters, resolveFile, entries),
			};
			// The fields name what is not allowed; the schema makes sure that nothing else is sent.
			const requestWith = (write: (file: ItemFile) => string) =>
				requestSchemas[workflow].parse(withFiles(wanted, write));
			return {
				request: requestWith((file) => file.reference),
				toSend: () => requestWith((file) => file.link()),
				settings: createSettingsFrom(entries),
			};
		},
	};
}
