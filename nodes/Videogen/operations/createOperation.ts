import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { refuseTooMuchInline, type ResolveFile, withReferences } from '../files/inputs';
import { entryIn, type Field, type Parameters, valueIn } from '../fields/field';
import {
	createOptions,
	createSettingsFrom,
	modelFamily,
	options,
	sentOptions,
} from '../fields/options';
import { createDownload } from '../fields/output';
import { checkTexts } from '../fields/expressionGaps';
import { videoFields, videoProperties } from '../fields/video';
import { createWait } from '../fields/wait';
import { modelOf, type Workflow } from '../service/contract/limits';
import { requestSchemas } from '../service/contract/request';
import { wellFormedJson } from '../shared/json';
import type { Operation } from './operation';

/** What sets one create operation apart from the others. */
interface CreateOperation extends Pick<Operation, 'value' | 'name' | 'action' | 'description'> {
	workflow: Workflow;
	prompt: Field<string>;
	/** Fields that only this operation has, besides the prompt. */
	ownFields: INodeProperties[];
	/** Options entries that only this operation has. */
	ownOptions?: INodeProperties[];
	/**
	 * Request properties that only this operation has, with files in place of their links. Properties
	 * that are `undefined` are not sent.
	 * @throws InvalidParameter
	 */
	ownProperties(
		parameters: Parameters,
		resolveFile: ResolveFile,
		options: IDataObject,
	): object | Promise<object>;
}

/** Combines an operation's own parts with those that all create operations share. */
export function createOperation(operation: CreateOperation): Operation {
	const { prompt, ownFields, ownOptions = [], workflow } = operation;
	return {
		...operation,
		isCreate: true,
		fields: [prompt.property, ...ownFields, ...videoFields],
		wait: createWait,
		download: createDownload,
		options: [...createOptions, ...ownOptions],
		async valuesFrom(parameters, resolveFile, familyOfCredential) {
			const entries = valueIn(parameters, options);
			const { request, files } = withReferences({
				model: modelOf(entryIn(entries, modelFamily) || familyOfCredential, workflow),
				prompt: valueIn(parameters, prompt),
				...videoProperties(parameters),
				...sentOptions(entries, valueIn(parameters, createWait)),
				...(await operation.ownProperties(parameters, resolveFile, entries)),
			});
			refuseTooMuchInline(files);
			// The fields report invalid values; the schema guarantees that nothing else is sent.
			const parsed = requestSchemas[workflow].parse(wellFormedJson(request));
			const settings = createSettingsFrom(entries);
			checkTexts(parsed, settings.idempotencyKey, parameters);
			return { request: parsed, files, settings };
		},
	};
}
