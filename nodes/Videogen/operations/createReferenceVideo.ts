import type { INodeProperties } from 'n8n-workflow';
import { REFERENCE_AUDIOS, REFERENCE_IMAGES, REFERENCE_VIDEOS } from '../contract/limits';
import { referenceVideoRequestSchema } from '../contract/request';
import { promptField } from '../fields/generation';
import { InvalidParameter } from '../input/invalidParameter';
import { LABELS } from '../input/labels';
import type { Parameters } from '../input/parameters';
import { webAddresses } from '../input/urls';
import { createOperation } from './createOperation';

/** One of the three lists of references: its field, its property of the request, its limits. */
interface ReferenceList {
	name: 'imageUrls' | 'videoUrls' | 'audioUrls';
	property: 'image_urls' | 'video_urls' | 'audio_urls';
	count: { min: number; max: number };
	what: string;
	placeholder: string;
}

const LISTS: ReferenceList[] = [
	{
		name: 'imageUrls',
		property: 'image_urls',
		count: REFERENCE_IMAGES,
		what: 'pictures',
		placeholder: 'e.g. https://example.com/person.png',
	},
	{
		name: 'videoUrls',
		property: 'video_urls',
		count: REFERENCE_VIDEOS,
		what: 'videos',
		placeholder: 'e.g. https://example.com/scene.mp4',
	},
	{
		name: 'audioUrls',
		property: 'audio_urls',
		count: REFERENCE_AUDIOS,
		what: 'sound files',
		placeholder: 'e.g. https://example.com/voice.mp3',
	},
];

const listField = ({ name, count, what, placeholder }: ReferenceList): INodeProperties => ({
	displayName: LABELS[name],
	name,
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder,
	description: `Addresses of ${what} for the model to go by. The service must be able to open them. An expression may give a list.`,
	hint: `Up to ${count.max}: one a line, or separated by commas`,
});

/** Reference to video: pictures, videos and sound to go by (service-spec.md, section 1). */
export const createReferenceVideo = createOperation({
	value: 'createReferenceVideo',
	name: 'Create Reference Video',
	action: 'Create a video from references',
	description:
		'Generate a video that goes by given pictures, videos or sound files, or edit or extend a given video. At least one of them is needed.',
	workflow: 'reference-to-video',
	schema: referenceVideoRequestSchema,
	fields: [
		promptField(
			'e.g. The person from the picture walks through the scene of the video',
			'What the video shows, and what to take from which reference',
		),
		...LISTS.map(listField),
	],
	guides: Object.fromEntries(
		LISTS.map(({ name, property, count, what }) => [
			property,
			{ label: LABELS[name], allowed: `The service takes up to ${count.max} ${what}.` },
		]),
	),
	properties: referencesFrom,
});

/** The lists that have entries; an empty one is not sent. */
function referencesFrom(parameters: Parameters): Record<string, string[]> {
	const lists = LISTS.map(({ name, property }): [string, string[]] => [
		property,
		webAddresses(LABELS[name], parameters.get(name)),
	]).filter(([, urls]) => urls.length > 0);
	if (lists.length > 0) return Object.fromEntries(lists);
	const [first, ...others] = LISTS.map(({ name }) => LABELS[name]);
	throw new InvalidParameter(
		`${first}, ${others.join(', ')}`,
		'are all empty.',
		'Give at least one picture, video or sound file to go by.',
	);
}
