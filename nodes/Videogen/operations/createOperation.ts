import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type TakeFile, hasFiles, withFiles } from '../inputFiles/inputFile';
import { type Field, type Parameters, valueIn, valueOrDefault } from '../parameters/field';
import { createSettingsFrom, optionsField, sentOptions } from '../parameters/options';
import { createDownload, simplify } from '../parameters/output';
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
	ownProperties(parameters: Parameters, takeFile: TakeFile, options: IDataObject): object;
}

const options = optionsField();

/** A create operation: its own fields first, then those that all of them share. */
export function createOperation(operation: CreateOperation): Operation {
	const { prompt, ownFields, ownOptions = [], workflow } = operation;
	return {
		...operation,
		fields: [
			prompt.property,
			...ownFields,
			...videoFields,
			...createWait.properties,
			...createDownload.properties,
			simplify.property,
		],
		options: ownOptions,
		settings: (parameters) => ({
			wait: createWait.from(parameters),
			download: createDownload.from(parameters),
			simplify: valueOrDefault(parameters, simplify),
		}),
		intents(modelFamily) {
			// The fields refuse by name what is not allowed; the schema makes sure.
			const requestSchema = requestSchemas[workflow](modelFamily);
			const model = modelOf(modelFamily, workflow);
			return (parameters, takeFile) => {
				const entries = valueIn(parameters, options);
				const wanted = {
					model,
					prompt: valueIn(parameters, prompt),
					...videoProperties(parameters),
					...sentOptions(entries),
					...operation.ownProperties(parameters, takeFile, entries),
				};
				const request = requestSchema.parse(withFiles(wanted, (file) => file.reference));
				const withLinks = () => requestSchema.parse(withFiles(wanted, (file) => file.link()));
				const create = {
					request,
					toSend: hasFiles(wanted) ? withLinks : () => request,
					settings: createSettingsFrom(entries),
				};
				return { kind: 'create', create };
			};
		},
	};
}
