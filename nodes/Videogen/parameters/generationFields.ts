import type { INodeProperties } from 'n8n-workflow';
import {
	ASPECT_RATIOS,
	DEFAULT_ASPECT_RATIO,
	DEFAULT_QUALITY,
	DURATION_SECONDS,
	QUALITIES,
} from '../service/contract/limits';
import { MAX_CONCURRENT_TASKS } from './generation';
import { LABELS } from './labels';

/** The Prompt of an operation, in its own words. */
export const promptField = (placeholder: string, description: string): INodeProperties => ({
	displayName: LABELS.prompt,
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder,
	description,
});

export const durationField: INodeProperties = {
	displayName: LABELS.duration,
	name: 'duration',
	type: 'number',
	typeOptions: {
		minValue: DURATION_SECONDS.min,
		maxValue: DURATION_SECONDS.max,
		numberPrecision: 0,
	},
	default: 5,
	description: 'How long the video is, in whole seconds',
	hint: `${DURATION_SECONDS.min} to ${DURATION_SECONDS.max} seconds`,
};

const QUALITY_NAMES: Record<(typeof QUALITIES)[number], string> = {
	'720p': '720p (Sharper)',
	'480p': '480p (Smaller File)',
};

/** The default first, as people expect the recommended choice on top. */
const defaultFirst = <T extends string>(values: readonly T[], first: T): T[] => [
	first,
	...values.filter((value) => value !== first),
];

export const qualityField: INodeProperties = {
	displayName: LABELS.quality,
	name: 'quality',
	type: 'options',
	options: defaultFirst(QUALITIES, DEFAULT_QUALITY).map((value) => ({
		name: QUALITY_NAMES[value],
		value,
	})),
	default: DEFAULT_QUALITY,
	description: 'How many lines the picture has. The service offers no 4K.',
};

const ASPECT_RATIO_NAMES: Record<(typeof ASPECT_RATIOS)[number], string> = {
	adaptive: 'Adaptive (Follows Your Input)',
	'16:9': '16:9 (Widescreen)',
	'9:16': '9:16 (Vertical, Stories and Reels)',
	'1:1': '1:1 (Square)',
	'4:3': '4:3 (Classic)',
	'3:4': '3:4 (Portrait)',
	'21:9': '21:9 (Cinema)',
};

export const aspectRatioField: INodeProperties = {
	displayName: LABELS.aspectRatio,
	name: 'aspectRatio',
	type: 'options',
	options: defaultFirst(ASPECT_RATIOS, DEFAULT_ASPECT_RATIO).map((value) => ({
		name: ASPECT_RATIO_NAMES[value],
		value,
	})),
	default: DEFAULT_ASPECT_RATIO,
	description: 'The shape of the picture',
};

/** Everything that every create operation has below its own fields. */
export const videoFields = [durationField, qualityField, aspectRatioField];

const sharedOptions: INodeProperties[] = [
	{
		displayName: LABELS.callbackUrl,
		name: 'callbackUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…',
		description:
			'Where the service reports when the task changes, for example the resume URL of a Wait node. It must be reachable from the internet.',
	},
	{
		displayName: LABELS.contentFilter,
		name: 'contentFilter',
		type: 'boolean',
		default: true,
		description:
			'Whether the service filters what it generates. Switching this off carries a surcharge on the price of the video.',
	},
	{
		displayName: LABELS.generateAudio,
		name: 'generateAudio',
		type: 'boolean',
		default: true,
		description:
			'Whether the video gets sound that fits the picture, where the service supports it',
	},
	{
		displayName: LABELS.maxConcurrentTasks,
		name: 'maxConcurrentTasks',
		type: 'number',
		typeOptions: { minValue: MAX_CONCURRENT_TASKS.min, numberPrecision: 0 },
		default: 20,
		description:
			'How many unfinished tasks the node keeps at the service at once. The value of the first valid item counts for all.',
	},
	{
		displayName: LABELS.resendAfterNoReply,
		name: 'resendAfterNoReply',
		type: 'boolean',
		default: false,
		description:
			'Whether a retry sends a request again whose first try got no answer. That first try may have made a task too, so you may pay twice.',
	},
];

/** The Options collection of a create operation, with its own entries among the shared ones. */
export const optionsField = (own: INodeProperties[] = []): INodeProperties => ({
	displayName: LABELS.options,
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...sharedOptions, ...own].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** Shown as soon as the filter is switched off, because it costs money. */
export const surchargeNotice: INodeProperties = {
	displayName:
		'With the content filter off, the service adds a surcharge to the price of each video.',
	name: 'contentFilterNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.contentFilter': [false] } },
};
