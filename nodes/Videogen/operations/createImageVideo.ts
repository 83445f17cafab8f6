import type { INodeProperties } from 'n8n-workflow';
import { FRAME_IMAGES } from '../contract/limits';
import { imageVideoRequestSchema } from '../contract/request';
import { promptField } from '../fields/generation';
import { InvalidParameter } from '../input/invalidParameter';
import { LABELS } from '../input/labels';
import type { Parameters } from '../input/parameters';
import { webAddresses } from '../input/urls';
import { createOperation } from './createOperation';

const firstFrameField: INodeProperties = {
	displayName: LABELS.firstFrameUrl,
	name: 'firstFrameUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/first.png',
	description:
		'Address of the picture with which the video begins. The service must be able to open it: JPEG, PNG or WebP.',
};

const lastFrameField: INodeProperties = {
	displayName: LABELS.lastFrameUrl,
	name: 'lastFrameUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/last.png',
	description:
		'Address of the picture with which the video ends. Leave it empty to let the video end freely.',
};

/** Image to video: from a first frame, or between a first and a last (service-spec.md, section 1). */
export const createImageVideo = createOperation({
	value: 'createImageVideo',
	name: 'Create Image Video',
	action: 'Create a video from one or two images',
	description:
		'Generate a video that begins with a given picture, and optionally ends with a second one. Use it to bring a still image to life.',
	workflow: 'image-to-video',
	schema: imageVideoRequestSchema,
	fields: [
		promptField(
			'e.g. The camera moves slowly closer while the leaves begin to fall',
			'What happens in the video: how things and the camera move from the first frame on',
		),
		firstFrameField,
		lastFrameField,
	],
	guides: {
		image_urls: {
			label: `${LABELS.firstFrameUrl} and ${LABELS.lastFrameUrl}`,
			allowed: `The service takes ${FRAME_IMAGES.min} or ${FRAME_IMAGES.max} pictures.`,
		},
	},
	properties: (parameters) => ({ image_urls: framesFrom(parameters) }),
});

/** First and last frame, in this order; the order is all that tells them apart. */
function framesFrom(parameters: Parameters): string[] {
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
