import type { INodeProperties } from 'n8n-workflow';
import type { Media, TakeFile } from '../inputFiles/inputFile';
import { DEFAULT_BINARY_FIELD } from '../parameters/output';
import { menuField, type Parameters } from '../parameters/field';
import { EMPTY, InvalidParameter, isEmpty } from '../parameters/invalidParameter';
import { atMost, urlsFrom } from '../parameters/lists';
import { promptField } from '../parameters/video';
import { FRAME_IMAGES } from '../service/contract/limits';
import { createOperation } from './createOperation';

const IMAGE_SOURCES = ['url', 'binary'] as const;
type ImageSource = (typeof IMAGE_SOURCES)[number];

const imageSource = menuField(
	{
		displayName: 'Image Source',
		name: 'imageSource',
		default: 'url',
		description: 'Where the images come from',
	},
	IMAGE_SOURCES,
	{
		url: { name: 'URL', description: 'URLs of the images' },
		binary: { name: 'Binary File', description: 'Files of the input item, by a link to this n8n' },
	},
);

/** A frame as one source gives it. */
const frameField = (
	source: ImageSource,
	texts: Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>,
): INodeProperties => ({
	type: 'string',
	default: '',
	displayOptions: { show: { imageSource: [source] } },
	...texts,
});

const MAY_BE_EMPTY = 'Empty leaves the ending to the model.';

/** The first and the last frame of each source. */
const FRAMES: Record<ImageSource, [first: INodeProperties, last: INodeProperties]> = {
	url: [
		frameField('url', {
			displayName: 'First Frame URL',
			name: 'firstFrameUrl',
			required: true,
			placeholder: 'e.g. https://example.com/first.png',
			description: 'URL of the image that the video begins with: a public JPEG, PNG or WebP',
		}),
		frameField('url', {
			displayName: 'Last Frame URL',
			name: 'lastFrameUrl',
			placeholder: 'e.g. https://example.com/last.png',
			description: `URL of the image that the video ends with. ${MAY_BE_EMPTY}`,
		}),
	],
	binary: [
		frameField('binary', {
			displayName: 'First Frame Binary Field',
			name: 'firstFrameBinaryProperty',
			default: DEFAULT_BINARY_FIELD,
			required: true,
			description:
				'Input field with the image that the video begins with: JPEG, PNG or WebP. The service must be able to reach this n8n.',
		}),
		frameField('binary', {
			displayName: 'Last Frame Binary Field',
			name: 'lastFrameBinaryProperty',
			placeholder: 'e.g. last',
			description: `Input field with the image that the video ends with. ${MAY_BE_EMPTY}`,
		}),
	],
};

/** Image to video: from a first frame, or between a first and a last (service-spec.md, section 1). */
export const createImageVideo = createOperation({
	value: 'createImageVideo',
	name: 'Create Image Video',
	action: 'Create video from one or two images',
	description:
		'Generate a video that begins with an image and, if you give a second one, ends with it',
	workflow: 'image-to-video',
	prompt: promptField(
		'e.g. The camera moves slowly closer while the leaves begin to fall',
		'What happens in the video, and how the camera moves',
	),
	ownFields: [imageSource.property, ...FRAMES.url, ...FRAMES.binary],
	ownProperties: (parameters, takeFile) => ({ image_urls: framesFrom(parameters, takeFile) }),
});

/** First and last frame, in this order; the order is all that tells them apart. */
function framesFrom(parameters: Parameters, takeFile: TakeFile): Media[] {
	const source = imageSource.read(parameters.get('imageSource') ?? imageSource.property.default);
	const [first, last] = FRAMES[source];
	const frameFrom = ({ displayName, name, required }: INodeProperties): Media[] => {
		const given = parameters.get(name);
		if (source === 'url') return urlsFrom(displayName, given);
		return isEmpty(given) && !required ? [] : [takeFile(displayName, given, ['image'])];
	};
	const [firstFrames, lastFrames] = [frameFrom(first), frameFrom(last)];
	if (firstFrames.length === 0) {
		throw new InvalidParameter(
			first.displayName,
			lastFrames.length > 0 ? `is empty, while ${last.displayName} is not.` : EMPTY,
			'Give the URL of the image that the video begins with.',
		);
	}
	const labels = `${first.displayName} and ${last.displayName}`;
	return atMost(FRAME_IMAGES.max, labels, [...firstFrames, ...lastFrames], 'images');
}
