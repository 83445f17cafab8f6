import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson, throughJson } from '../ground/json';
import { addedEntry, type Field, propertiesOf, switchField } from './field';
import { InvalidParameter, isEmpty, LABELS, shown } from '../ground/words';
import { promptField } from './video';
import { createOperation } from './createOperation';

const modelParams: Field<IDataObject | undefined> = {
	property: {
		displayName: LABELS.modelParams,
		name: 'modelParams',
		type: 'json',
		default: '{}',
		description:
			'More settings of the model, as a JSON object. Your provider’s documentation names them.',
	},
	read: modelParamsFrom,
};

const webSearch = switchField({
	displayName: LABELS.webSearch,
	name: 'webSearch',
	default: false,
	description: 'Whether the model may search the web for the prompt',
});

/** Text to video: from a prompt alone (docs/service.md, section 1). */
export const createTextVideo = createOperation({
	value: 'createTextVideo',
	name: 'Create Text Video',
	action: 'Create video from text',
	description: 'Create a video from text alone, the prompt',
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

/** The parameters; `undefined` when the option was emptied. */
function modelParamsFrom(value: unknown): IDataObject | undefined {
	if (value !== null && isEmpty(value)) return undefined;
	const parsed = typeof value === 'string' ? parseJson(value) : throughJson(value);
	if (!isJsonObject(parsed)) {
		throw new InvalidParameter(
			modelParams.property,
			`: ${shown(value)} is not a JSON object.`,
			'Write names and values in braces, for example {"seed": 7}.',
		);
	}
	const { web_search } = parsed;
	if (web_search === undefined || typeof web_search === 'boolean') return parsed;
	throw new InvalidParameter(
		modelParams.property,
		`: web_search is ${shown(web_search)}, which is not allowed.`,
		'It is a JSON object; its "web_search" is true or false.',
	);
}
