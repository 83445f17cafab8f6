import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson, throughJson } from '../shared/json';
import { addedEntry, type Field, fieldOf, propertiesOf, switchField } from '../fields/field';
import { promptField } from '../fields/video';
import { createOperation } from './createOperation';

const modelParams: Field<IDataObject> = fieldOf(
	{
		displayName: 'Model Parameters',
		name: 'modelParams',
		type: 'json',
		default: '{}',
		description:
			'More settings of the model, as a JSON object. Add it only if your provider’s documentation names some.',
	},
	'Enter names and values in braces, such as {"seed": 7}; a "web_search" in it is true or false.',
	(given) => {
		const parsed = typeof given === 'string' ? parseJson(given) : throughJson(given);
		if (!isJsonObject(parsed)) return undefined;
		return ['undefined', 'boolean'].includes(typeof parsed.web_search) ? parsed : undefined;
	},
);

const webSearch = switchField({
	displayName: 'Web Search',
	name: 'webSearch',
	default: false,
	description:
		'Whether the model may search the web for the prompt. Turn it on if the video shows something recent.',
});

/** Text to video: from a prompt alone (docs/internals/service-contract.md, section 1). */
export const createTextVideo = createOperation({
	value: 'createTextVideo',
	name: 'Create Text Video',
	action: 'Create video from text',
	description: 'Create a video from a text prompt',
	workflow: 'text-to-video',
	prompt: promptField(
		'e.g. A red fox runs through fresh snow at sunrise, slow motion',
		'What the video shows: subject, action, place, light, camera',
	),
	ownFields: [],
	ownOptions: propertiesOf([modelParams, webSearch]),
	ownProperties(_parameters, _resolveFile, options) {
		const free = addedEntry(options, modelParams);
		const web_search = addedEntry(options, webSearch);
		return { model_params: web_search === undefined ? free : { ...free, web_search } };
	},
});
