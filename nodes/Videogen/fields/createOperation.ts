import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { refuseTooMuchInline, type ResolveFile, withReferences } from '../files/inputs';
import { entryIn, type Field, type Parameters, valueIn } from './field';
import { createOptions, createSettingsFrom, modelFamily, options, sentOptions } from './options';
import { createDownload } from './output';
import { checkTexts } from './texts';
import { videoFields, videoProperties } from './video';
import { createWait } from './wait';
import { modelOf, type Workflow } from '../service/contract/limits';
import { requestSchemas } from '../service/contract/request';
import type { Operation } from './operation';

/** What differs between create operations. */
interface CreateOperation extends Pick<Operation, 'value' | 'name' | 'action' | 'description'> {
	workflow: Workflow;
	prompt: Field<string>;
	/** Fields that it alone has, except the prompt. */
	ownFields: INodeProperties[];
	/** Entries of Options that it alone has. */
	ownOptions?: INodeProperties[];
	/**
	 * The properties of the request that it alone has, with files in place of their links. Those that
	 * are `undefined` are not sent.
	 * @throws InvalidParameter
	 */
	ownProperties(
		parameters: Parameters,
		resolveFile: ResolveFile,
		options: IDataObject,
	): object | Promise<object>;
}

/** A create operation, of what is its own and what all of them share. */
export function createOperation(operation: CreateOperation): Operation {
	const { prompt, ownFields, ownOptions = [], workflow } = operation;
	return {
		...operation,
		isCreate: true,
		fields: [prompt.property, ...ownFields, ...videoFields],
		wait: createWait,
		download: createDownload,
		options: [...createOptions, ...ownOptions],
		async intent(parameters, resolveFile, familyOfCredential) {
			const entries = valueIn(parameters, options);
			const { request, files } = withReferences({
				model: modelOf(entryIn(entries, modelFamily) || familyOfCredential, workflow),
				prompt: valueIn(parameters, prompt),
				...videoProperties(parameters),
				...sentOptions(entries, valueIn(parameters, createWait)),
				...(await operation.ownProperties(parameters, resolveFile, entries)),
			});
			refuseTooMuchInline(files);
			// The fields name what is not allowed; the schema makes sure that nothing else is sent.
			const parsed = requestSchemas[workflow].parse(request);
			const settings = createSettingsFrom(entries);
			checkTexts(parsed, settings.idempotencyKey, parameters);
			return { request: parsed, files, settings };
		},
	};
}
