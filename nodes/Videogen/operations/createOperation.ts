import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import type { Workflow } from '../service/contract/limits';
import { modelOf } from '../service/contract/limits';
import type { GenerationRequest } from '../service/contract/request';
import { optionsField, videoFields, surchargeNotice } from '../parameters/generationFields';
import { createDownloadFields } from '../parameters/downloadFields';
import { createWaitFields } from '../parameters/waitFields';
import type { FieldGuide } from '../parameters/checkRequest';
import { checkRequest } from '../parameters/checkRequest';
import { GENERATION_GUIDES, generationProperties } from '../parameters/generation';
import type { ItemFiles } from '../inputFiles/inputFile';
import { withFiles } from '../inputFiles/inputFile';
import type { Parameters } from '../parameters/values';
import type { Operation } from './operation';

/** What sets one create operation apart from the others. */
interface CreateOperation extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'fields'
> {
	workflow: Workflow;
	/** The contract's schema of the request, for a provider's model family. */
	schema: (modelFamily: string) => z.ZodType<GenerationRequest>;
	/** Entries of the Options collection besides those that all create operations have. */
	options?: INodeProperties[];
	/** The editor's words for the request's own properties. */
	guides: Record<string, FieldGuide>;
	/** The request's own properties, files still as such. Throws InvalidParameter. */
	properties(parameters: Parameters, files: ItemFiles): Record<string, unknown>;
}

/** A create operation: its own fields first, then those that all of them share. */
export const createOperation = ({
	workflow,
	schema,
	options,
	guides,
	properties,
	fields,
	...menuEntry
}: CreateOperation): Operation => ({
	...menuEntry,
	fields: [
		...fields,
		...videoFields,
		...createWaitFields,
		...createDownloadFields,
		optionsField(options),
		surchargeNotice,
	],
	intent(parameters, { modelFamily, files }) {
		const wanted = {
			model: modelOf(modelFamily, workflow),
			...generationProperties(parameters),
			...properties(parameters, files),
		};
		const allGuides = { ...GENERATION_GUIDES, ...guides };
		const checked = (request: unknown) => checkRequest(schema(modelFamily), request, allGuides);
		return {
			kind: 'create',
			request: {
				body: checked(withFiles(wanted, (file) => file.reference)),
				toSend: () => checked(withFiles(wanted, (file) => file.link())),
			},
		};
	},
});
