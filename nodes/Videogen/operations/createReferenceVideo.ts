import type { INodeProperties } from 'n8n-workflow';
import { REFERENCE_AUDIOS, REFERENCE_IMAGES, REFERENCE_VIDEOS } from '../service/contract/limits';
import { referenceVideoRequestSchema } from '../service/contract/request';
import { promptField } from '../parameters/generationFields';
import { InvalidParameter } from '../parameters/invalidParameter';
import type { ItemFile, ItemFiles, Media } from '../inputFiles/inputFile';
import { binaryFieldNames, described, shownField } from '../inputFiles/inputFile';
import { LABELS } from '../parameters/labels';
import type { Parameters } from '../parameters/values';
import { webAddresses } from '../parameters/urls';
import { createOperation } from './createOperation';

/** One of the three lists of references: its field, its property of the request, its limits. */
interface ReferenceList {
	/** What the media types of its files begin with. */
	media: 'image' | 'video' | 'audio';
	name: 'imageUrls' | 'videoUrls' | 'audioUrls';
	property: 'image_urls' | 'video_urls' | 'audio_urls';
	count: { min: number; max: number };
	what: string;
	placeholder: string;
}

const LISTS: ReferenceList[] = [
	{
		media: 'image',
		name: 'imageUrls',
		property: 'image_urls',
		count: REFERENCE_IMAGES,
		what: 'pictures',
		placeholder: 'e.g. https://example.com/person.png',
	},
	{
		media: 'video',
		name: 'videoUrls',
		property: 'video_urls',
		count: REFERENCE_VIDEOS,
		what: 'videos',
		placeholder: 'e.g. https://example.com/scene.mp4',
	},
	{
		media: 'audio',
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

const filesField: INodeProperties = {
	displayName: LABELS.referenceBinaryProperties,
	name: 'referenceBinaryProperties',
	type: 'string',
	default: '',
	placeholder: 'e.g. data, voice',
	description:
		'Names of binary fields of the input item with pictures, videos or sound files, separated by commas. Each goes to the list that fits its type, after the addresses. The service must be able to reach this n8n.',
};

/** Reference to video: pictures, videos and sound to go by (service-spec.md, section 1). */
export const createReferenceVideo = createOperation({
	value: 'createReferenceVideo',
	name: 'Create Reference Video',
	action: 'Create video from references',
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
		filesField,
	],
	guides: Object.fromEntries(
		LISTS.map(({ name, property, count, what }) => [
			property,
			{
				label: LABELS[name],
				allowed: `The service takes up to ${count.max} ${what}, files included.`,
			},
		]),
	),
	properties: referencesFrom,
});

/** The lists that have entries, addresses before files; an empty one is not sent. */
function referencesFrom(parameters: Parameters, itemFiles: ItemFiles): Record<string, Media[]> {
	const files = referenceFilesFrom(parameters, itemFiles);
	const lists = LISTS.map(({ media, name, property }): [string, Media[]] => [
		property,
		[
			...webAddresses(LABELS[name], parameters.get(name)),
			...files.filter(({ mediaType }) => mediaType.startsWith(`${media}/`)),
		],
	]).filter(([, entries]) => entries.length > 0);
	if (lists.length > 0) return Object.fromEntries(lists);
	const others = LISTS.slice(1).map(({ name }) => LABELS[name]);
	throw new InvalidParameter(
		`${LABELS.imageUrls}, ${others.join(', ')} and ${LABELS.referenceBinaryProperties}`,
		'are all empty.',
		'Give at least one picture, video or sound file to go by.',
	);
}

function referenceFilesFrom(parameters: Parameters, itemFiles: ItemFiles): ItemFile[] {
	const parameter = LABELS.referenceBinaryProperties;
	return binaryFieldNames(parameters.get('referenceBinaryProperties')).map((binaryField) => {
		const file = itemFiles.take(parameter, binaryField);
		if (LISTS.some(({ media }) => file.mediaType.startsWith(`${media}/`))) return file;
		throw new InvalidParameter(
			parameter,
			`${shownField(binaryField)} holds ${described(file)}, which is no picture, video or sound.`,
			'Give binary fields with pictures, videos or sound files.',
		);
	});
}
