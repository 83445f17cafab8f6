import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson } from '../client/json';
import { modelOf } from '../contract/limits';
import { textVideoRequestSchema } from '../contract/request';
import { optionsField, outputFields, promptField, surchargeNotice } from '../fields/generation';
import { createWaitFields } from '../fields/waiting';
import { checkRequest } from '../input/checkRequest';
import { GENERATION_GUIDES, generationProperties } from '../input/generation';
import { InvalidParameter, shown } from '../input/invalidParameter';
import { LABELS } from '../input/labels';
import type { Parameters } from '../input/parameters';
import { collection, switchFrom } from '../input/parameters';
import type { Operation } from './operation';

const guides = {
	...GENERATION_GUIDES,
	model_params: {
		label: LABELS.modelParams,
		allowed: 'It is a JSON object; its "web_search" is true or false.',
	},
};

/** Text to video: a prompt alone, no media (service-spec.md, section 1). */
export const createTextVideo: Operation = {
	value: 'createTextVideo',
	name: 'Create Text Video',
	action: 'Create a video from text',
	description:
		'Generate a new video from a written description alone. Use it when there is no picture, video or sound to start from.',
	fields: [
		promptField(
			'e.g. A red fox runs through fresh snow at sunrise, slow motion',
			'What the video shows: subject, action, place, light, camera',
		),
		...outputFields,
		...createWaitFields,
		optionsField([
			{
				displayName: LABELS.modelParams,
				name: 'modelParams',
				type: 'json',
				default: '{}',
				description:
					'Further parameters of the model, as a JSON object, when the provider documents some',
			},
			{
				displayName: LABELS.webSearch,
				name: 'webSearch',
				type: 'boolean',
				default: false,
				description: 'Whether the model may look things up on the web before it generates',
			},
		]),
		surchargeNotice,
	],

	intent(parameters, { modelFamily }) {
		const modelParams = modelParamsFrom(parameters);
		const request = {
			model: modelOf(modelFamily, 'text-to-video'),
			...generationProperties(parameters),
			...(modelParams === undefined ? {} : { model_params: modelParams }),
		};
		const schema = textVideoRequestSchema(modelFamily);
		return { kind: 'create', request: checkRequest(schema, request, guides) };
	},
};

/** The free parameters with the switch merged in; nothing when neither was added. */
function modelParamsFrom(parameters: Parameters): IDataObject | undefined {
	const options = collection(parameters, 'options');
	const free = jsonObjectFrom(options.modelParams);
	if (options.webSearch === undefined) return free;
	return { ...free, web_search: switchFrom(LABELS.webSearch, options.webSearch) };
}

function jsonObjectFrom(value: unknown): IDataObject | undefined {
	if (value === undefined) return undefined;
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isJsonObject(parsed)) return parsed;
	throw new InvalidParameter(
		LABELS.modelParams,
		`${shown(value)} is not a JSON object.`,
		'Write names and values in braces, for example {"seed": 7}.',
	);
}
