import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson, throughJson } from '../common/json';
import { textVideoRequestSchema } from '../service/contract/request';
import { promptField } from '../parameters/generationFields';
import { InvalidParameter, shown } from '../parameters/invalidParameter';
import { LABELS } from '../parameters/labels';
import type { Parameters } from '../parameters/values';
import { collection, switchFrom } from '../parameters/values';
import { createOperation } from './createOperation';

/** Text to video: a prompt alone, no media (service-spec.md, section 1). */
export const createTextVideo = createOperation({
	value: 'createTextVideo',
	name: 'Create Text Video',
	action: 'Create video from text',
	description:
		'Generate a new video from a written description alone. Use it when there is no picture, video or sound to start from.',
	workflow: 'text-to-video',
	schema: textVideoRequestSchema,
	fields: [
		promptField(
			'e.g. A red fox runs through fresh snow at sunrise, slow motion',
			'What the video shows: subject, action, place, light, camera',
		),
	],
	options: [
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
	],
	guides: {
		model_params: {
			label: LABELS.modelParams,
			allowed: 'It is a JSON object; its "web_search" is true or false.',
		},
	},
	properties(parameters) {
		const modelParams = modelParamsFrom(parameters);
		return modelParams === undefined ? {} : { model_params: modelParams };
	},
});

/** The free parameters with the switch merged in; nothing when neither was added. */
function modelParamsFrom(parameters: Parameters): IDataObject | undefined {
	const options = collection(parameters, 'options');
	const free = jsonObjectFrom(options.modelParams);
	if (options.webSearch === undefined) return free;
	return { ...free, web_search: switchFrom(LABELS.webSearch, options.webSearch) };
}

function jsonObjectFrom(value: unknown): IDataObject | undefined {
	if (value === undefined || isBlank(value)) return undefined;
	const parsed = typeof value === 'string' ? parseJson(value) : throughJson(value);
	if (isJsonObject(parsed)) return parsed;
	throw new InvalidParameter(
		LABELS.modelParams,
		`${shown(value)} is not a JSON object.`,
		'Write names and values in braces, for example {"seed": 7}.',
	);
}

/** A field that was cleared holds empty text. */
const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
