import type { Media, ResolveFile } from '../files/inputFiles';
import { menuField, type Parameters, propertiesOf, valueIn, valueOrDefault } from './field';
import { emptyField, LABELS } from '../ground/words';
import { atMost, binaryFieldField, urlsField } from './lists';
import { DEFAULT_BINARY_FIELD } from './output';
import { promptField } from './video';
import { FRAME_IMAGES } from '../service/contract/limits';
import { createOperation } from './createOperation';

const FROM_FILE = 'File From a Previous Node';

const imageSource = menuField(
	{
		displayName: 'Image Source',
		name: 'imageSource',
		default: 'url',
		description: 'Where the images come from',
	},
	['url', 'binary'],
	{
		url: { name: 'URL', description: 'Public links to the images' },
		binary: {
			name: FROM_FILE,
			description: 'Files that come into this node. The provider must be able to reach this n8n.',
		},
	},
);
const ofUrls = { displayOptions: { show: { imageSource: ['url'] } } };
const ofFiles = { displayOptions: { show: { imageSource: ['binary'] } } };
const FOR_FILES = `For a file, choose ${imageSource.property.displayName}: ${FROM_FILE}.`;

const FIRST = 'the image that the video begins with';
const LAST = 'the image that the video ends with';
const MAY_BE_EMPTY = 'Empty leaves the ending to the model.';
const NAME_HINT = 'The name above the file in the Binary tab';

const firstFrameUrl = urlsField(
	{
		displayName: LABELS.firstFrameUrl,
		name: 'firstFrameUrl',
		required: true,
		placeholder: 'e.g. https://example.com/first.png',
		description: `URL of ${FIRST}: a public JPEG, PNG or WebP`,
		...ofUrls,
	},
	FOR_FILES,
	true,
);
const lastFrameUrl = urlsField(
	{
		displayName: LABELS.lastFrameUrl,
		name: 'lastFrameUrl',
		placeholder: 'e.g. https://example.com/last.png',
		description: `URL of ${LAST}. ${MAY_BE_EMPTY}`,
		...ofUrls,
	},
	FOR_FILES,
	true,
);
const firstFrameFile = binaryFieldField({
	displayName: LABELS.firstFrameBinaryProperty,
	name: 'firstFrameBinaryProperty',
	default: DEFAULT_BINARY_FIELD,
	required: true,
	hint: NAME_HINT,
	description: `File of ${FIRST}: JPEG, PNG or WebP`,
	...ofFiles,
});
const lastFrameFile = binaryFieldField({
	displayName: LABELS.lastFrameBinaryProperty,
	name: 'lastFrameBinaryProperty',
	placeholder: 'e.g. last',
	hint: NAME_HINT,
	description: `File of ${LAST}. ${MAY_BE_EMPTY}`,
	...ofFiles,
});

/** Image to video: from a first frame, or between a first and a last (docs/service.md, section 1). */
export const createImageVideo = createOperation({
	value: 'createImageVideo',
	name: 'Create Image Video',
	action: 'Create video from images',
	description:
		'Create a video from one or two images: it begins with the first, and ends with the second',
	workflow: 'image-to-video',
	prompt: promptField(
		'e.g. The camera moves slowly closer while the leaves begin to fall',
		'What happens in the video, and how the camera moves',
	),
	ownFields: [
		imageSource.property,
		...propertiesOf([firstFrameUrl, lastFrameUrl, firstFrameFile, lastFrameFile]),
	],
	ownProperties: async (parameters, resolveFile) => ({
		image_urls: await framesFrom(parameters, resolveFile),
	}),
});

/** First and last frame: only their order tells them apart. */
async function framesFrom(parameters: Parameters, resolveFile: ResolveFile): Promise<Media[]> {
	if (valueOrDefault(parameters, imageSource) === 'binary') {
		return await framesFromFiles(parameters, resolveFile);
	}
	const first = valueIn(parameters, firstFrameUrl);
	if (first.length === 0) throw emptyField(firstFrameUrl.property, `Give the URL of ${FIRST}.`);
	const labels = [firstFrameUrl, lastFrameUrl].map(({ property }) => property.displayName);
	const frames = [...first, ...valueIn(parameters, lastFrameUrl)];
	return atMost(FRAME_IMAGES.max, { displayName: labels.join(' and ') }, frames, 'images');
}

/** Where nobody has named a file, the only image of the item is the first. */
async function framesFromFiles(parameters: Parameters, resolveFile: ResolveFile): Promise<Media[]> {
	const first = valueIn(parameters, firstFrameFile);
	const last = valueIn(parameters, lastFrameFile);
	const isUntouched = last === undefined && String(first).trim() === DEFAULT_BINARY_FIELD;
	const frames = [await resolveFile(firstFrameFile.property, first, ['image'], isUntouched)];
	if (last !== undefined) frames.push(await resolveFile(lastFrameFile.property, last, ['image']));
	return frames;
}
