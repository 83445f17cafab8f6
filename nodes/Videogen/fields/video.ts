import {
	ASPECT_RATIOS,
	DEFAULT_ASPECT_RATIO,
	DEFAULT_QUALITY,
	DURATION_SECONDS,
	QUALITIES,
} from '../service/contract/limits';
import { commonFields } from '../service/contract/request';
import {
	type Field,
	menuField,
	numberField,
	type Parameters,
	propertiesOf,
	textField,
	valueIn,
} from './field';
import { LABELS } from '../shared/messages';
import { ANY_WORD } from './expressionGaps';

/** The Prompt field, worded for an operation. */
export const promptField = (placeholder: string, description: string): Field<string> =>
	textField(
		{
			displayName: LABELS.prompt,
			name: 'prompt',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder,
			description,
		},
		commonFields.prompt.regex(ANY_WORD),
		'Describe the video in words.',
	);

const duration = numberField(
	{
		displayName: 'Duration (Seconds)',
		name: 'duration',
		default: DURATION_SECONDS.default,
		description: 'How long the video is, in whole seconds',
	},
	commonFields.duration.unwrap(),
	`a whole number from ${DURATION_SECONDS.min} to ${DURATION_SECONDS.max}`,
);

const quality = menuField(
	{
		displayName: 'Quality',
		name: 'quality',
		default: DEFAULT_QUALITY,
		description: 'How sharp the video is. Your provider’s price list says what each costs.',
	},
	QUALITIES,
	{ '720p': { name: '720p (Sharper)' }, '480p': { name: '480p (Usually Cheaper)' } },
);

const aspectRatio = menuField(
	{
		displayName: 'Aspect Ratio',
		name: 'aspectRatio',
		default: DEFAULT_ASPECT_RATIO,
		description: 'The shape of the video',
	},
	ASPECT_RATIOS,
	{
		'1:1': { name: '1:1 (Square)' },
		'16:9': { name: '16:9 (Widescreen)' },
		'21:9': { name: '21:9 (Cinema)' },
		'3:4': { name: '3:4 (Portrait)' },
		'4:3': { name: '4:3 (Classic)' },
		'9:16': { name: '9:16 (Vertical, Stories and Reels)' },
		adaptive: {
			name: 'Adaptive (Model Decides)',
			description: 'The shape follows your image, or what the prompt describes',
		},
	},
);

/** The fields that every create operation has below its own. */
export const videoFields = propertiesOf([duration, quality, aspectRatio]);

/** The values of these fields, as request properties. */
export function videoProperties(parameters: Parameters) {
	const ratio = valueIn(parameters, aspectRatio);
	return {
		duration: valueIn(parameters, duration),
		quality: valueIn(parameters, quality),
		// The service's own default is not sent.
		aspect_ratio: ratio === DEFAULT_ASPECT_RATIO ? undefined : ratio,
	};
}
