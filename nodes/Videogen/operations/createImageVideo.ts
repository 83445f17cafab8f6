import type { INodeProperties } from 'n8n-workflow';
import { FRAME_IMAGES } from '../service/contract/limits';
import { imageVideoRequestSchema } from '../service/contract/request';
import { promptField } from '../parameters/generationFields';
import { InvalidParameter, isEmpty } from '../parameters/invalidParameter';
import type { ItemFile, ItemFiles } from '../inputFiles/inputFile';
import { assertPicture, DEFAULT_BINARY_FIELD } from '../inputFiles/inputFile';
import { LABELS } from '../parameters/labels';
import type { Parameters } from '../parameters/values';
import { choiceFrom } from '../parameters/values';
import { webAddresses } from '../parameters/urls';
import { createOperation } from './createOperation';

const IMAGE_SOURCES = ['url', 'binary'] as const;
type ImageSource = (typeof IMAGE_SOURCES)[number];

const imageSourceField: INodeProperties = {
	displayName: LABELS.imageSource,
	name: 'imageSource',
	type: 'options',
	options: [
		{ name: 'URL', value: 'url', description: 'Web addresses of the pictures' },
		{
			name: 'Binary File',
			value: 'binary',
			description: 'Files of the input item; the service fetches them from this n8n by a link',
		},
	],
	default: 'url',
	description: 'Where the first and the last frame come from',
};

const shownForSource = (source: ImageSource) => ({ show: { imageSource: [source] } });

const frameFields: INodeProperties[] = [
	{
		displayName: LABELS.firstFrameUrl,
		name: 'firstFrameUrl',
		type: 'string',
		displayOptions: shownForSource('url'),
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/first.png',
		description:
			'Address of the picture with which the video begins. The service must be able to open it: JPEG, PNG or WebP.',
	},
	{
		displayName: LABELS.lastFrameUrl,
		name: 'lastFrameUrl',
		type: 'string',
		displayOptions: shownForSource('url'),
		default: '',
		placeholder: 'e.g. https://example.com/last.png',
		description:
			'Address of the picture with which the video ends. Leave it empty to let the video end freely.',
	},
	{
		displayName: LABELS.firstFrameBinaryProperty,
		name: 'firstFrameBinaryProperty',
		type: 'string',
		displayOptions: shownForSource('binary'),
		default: DEFAULT_BINARY_FIELD,
		required: true,
		description:
			'Name of the binary field of the input item with the picture with which the video begins: JPEG, PNG or WebP. The service must be able to reach this n8n.',
	},
	{
		displayName: LABELS.lastFrameBinaryProperty,
		name: 'lastFrameBinaryProperty',
		type: 'string',
		displayOptions: shownForSource('binary'),
		default: '',
		placeholder: 'e.g. last',
		description:
			'Name of the binary field with the picture with which the video ends. Leave it empty to let the video end freely.',
	},
];

/** Image to video: from a first frame, or between a first and a last (service-spec.md, section 1). */
export const createImageVideo = createOperation({
	value: 'createImageVideo',
	name: 'Create Image Video',
	action: 'Create video from one or two images',
	description:
		'Generate a video that begins with a given picture, and optionally ends with a second one. Use it to bring a still image to life.',
	workflow: 'image-to-video',
	schema: imageVideoRequestSchema,
	fields: [
		promptField(
			'e.g. The camera moves slowly closer while the leaves begin to fall',
			'What happens in the video: how things and the camera move from the first frame on',
		),
		imageSourceField,
		...frameFields,
	],
	guides: {
		image_urls: {
			label: `${LABELS.firstFrameUrl} and ${LABELS.lastFrameUrl}`,
			allowed: `The service takes ${FRAME_IMAGES.min} or ${FRAME_IMAGES.max} pictures.`,
		},
	},
	properties: (parameters, files) => ({
		image_urls:
			imageSourceFrom(parameters) === 'binary'
				? frameFilesFrom(parameters, files)
				: frameUrlsFrom(parameters),
	}),
});

const imageSourceFrom = (parameters: Parameters): ImageSource =>
	choiceFrom(LABELS.imageSource, IMAGE_SOURCES, parameters.get('imageSource') ?? 'url');

/** First and last frame, in this order; the order is all that tells them apart. */
function frameUrlsFrom(parameters: Parameters): string[] {
	const first = webAddresses(LABELS.firstFrameUrl, parameters.get('firstFrameUrl'));
	const last = webAddresses(LABELS.lastFrameUrl, parameters.get('lastFrameUrl'));
	if (first.length === 0) {
		throw new InvalidParameter(
			LABELS.firstFrameUrl,
			last.length > 0 ? `is empty, while ${LABELS.lastFrameUrl} is not.` : 'is empty.',
			'Give the address of the picture with which the video begins.',
		);
	}
	return [...first, ...last];
}

function frameFilesFrom(parameters: Parameters, files: ItemFiles): ItemFile[] {
	const first = parameters.get('firstFrameBinaryProperty');
	const last = parameters.get('lastFrameBinaryProperty');
	const frames = [pictureFrom(LABELS.firstFrameBinaryProperty, first, files)];
	const hasLast = typeof last === 'string' ? last.trim() !== '' : !isEmpty(last);
	if (hasLast) frames.push(pictureFrom(LABELS.lastFrameBinaryProperty, last, files));
	return frames;
}

function pictureFrom(parameter: string, binaryField: unknown, files: ItemFiles): ItemFile {
	const file = files.take(parameter, binaryField);
	assertPicture(parameter, file, binaryField);
	return file;
}
