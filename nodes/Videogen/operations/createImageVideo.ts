import type { Media, ResolveFile } from '../files/inputs';
import { menuField, type Parameters, propertiesOf, valueIn } from '../fields/field';
import { atMost, binaryFieldField, urlsField } from '../fields/lists';
import { DEFAULT_BINARY_FIELD } from '../fields/output';
import { promptField } from '../fields/video';
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
			description:
				'Files that come into this node. If n8n has no public URL or keeps files in memory, they are sent inside the request.',
		},
	},
);
const FIRST = 'the image that the video begins with';
const LAST =
	'the image that the video ends with. Leave it empty to let the model decide how it ends.';

const urlOf = (displayName: string, name: string, what: string, hint?: string) =>
	urlsField(
		{
			displayName,
			name,
			required: hint === undefined ? true : undefined,
			hint,
			placeholder: 'e.g. https://example.com/image.png',
			description: `Public URL of a JPEG, PNG or WebP: ${what}`,
			displayOptions: { show: { imageSource: ['url'] } },
		},
		`For a file, set '${imageSource.property.displayName}' to '${FROM_FILE}'.`,
		true,
	);
const firstFrameUrl = urlOf('First Image URL', 'firstFrameUrl', FIRST);
const lastFrameUrl = urlOf('Last Image URL', 'lastFrameUrl', LAST, 'Optional');

const firstFrameFile = binaryFieldField({
	displayName: 'First Image Binary Field',
	name: 'firstFrameBinaryProperty',
	hint: 'The name above the file in the Binary tab',
	default: DEFAULT_BINARY_FIELD,
	description: `A JPEG, PNG or WebP file: ${FIRST}`,
	displayOptions: { show: { imageSource: ['binary'] } },
});
const lastFrameFile = binaryFieldField({
	displayName: 'Last Image Binary Field',
	name: 'lastFrameBinaryProperty',
	hint: 'Optional: the name above the file in the Binary tab',
	placeholder: 'e.g. last',
	description: `A JPEG, PNG or WebP file: ${LAST}`,
	displayOptions: { show: { imageSource: ['binary'] } },
});

/**
 * Image to video: from a first frame, or from a first and a last one
 * (docs/internals/service-contract.md, section 1).
 */
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

/** First and last frame, in this order: only their position tells them apart. */
async function framesFrom(parameters: Parameters, resolveFile: ResolveFile): Promise<Media[]> {
	if (valueIn(parameters, imageSource) === 'url') {
		const urls = [...valueIn(parameters, firstFrameUrl), ...valueIn(parameters, lastFrameUrl)];
		const labels = 'First Image URL and Last Image URL';
		return atMost(FRAME_IMAGES.max, { displayName: labels }, urls, 'images');
	}
	const first = valueIn(parameters, firstFrameFile);
	const last = valueIn(parameters, lastFrameFile);
	// If the user names no file, the item's only image becomes the first frame.
	const isUntouched = last === '' && first === DEFAULT_BINARY_FIELD;
	const frames = [await resolveFile(firstFrameFile.property, first, ['image'], isUntouched)];
	if (last !== '') frames.push(await resolveFile(lastFrameFile.property, last, ['image']));
	return frames;
}
