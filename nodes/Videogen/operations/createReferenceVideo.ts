import type { INodeProperties } from 'n8n-workflow';
import type { Media, MediaKind, TakeFile } from '../inputFiles/inputFile';
import { type Parameters, propertiesOf } from '../parameters/field';
import { InvalidParameter } from '../parameters/invalidParameter';
import { atMost, binaryFieldNames, urlsFrom } from '../parameters/lists';
import { promptField } from '../parameters/video';
import { REFERENCE_AUDIOS, REFERENCE_IMAGES, REFERENCE_VIDEOS } from '../service/contract/limits';
import { createOperation } from './createOperation';

/** One of the three lists of references: its field, and its property of the request. */
const listOf = (kind: MediaKind, label: string, max: number, what: string, example: string) => ({
	kind,
	sentAs: `${kind}_urls`,
	max,
	what,
	property: {
		displayName: label,
		name: `${kind}Urls`,
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: `e.g. https://example.com/${example}`,
		description: `Public URLs of ${what} that the model uses as references. An expression may give a list.`,
		hint: `Up to ${max}, one per line or separated by commas`,
	} satisfies INodeProperties,
});

const LISTS = [
	listOf('image', 'Image URLs', REFERENCE_IMAGES.max, 'images', 'person.png'),
	listOf('video', 'Video URLs', REFERENCE_VIDEOS.max, 'videos', 'scene.mp4'),
	listOf('audio', 'Audio URLs', REFERENCE_AUDIOS.max, 'audio files', 'voice.mp3'),
];
const KINDS = LISTS.map(({ kind }) => kind);

const binaryFields: INodeProperties = {
	displayName: 'Reference Binary Fields',
	name: 'referenceBinaryProperties',
	type: 'string',
	default: '',
	placeholder: 'e.g. data, voice',
	description:
		'Input fields with images, videos or audio files, separated by commas. The service must be able to reach this n8n.',
};

/** Reference to video: images, videos and audio to go by (service-spec.md, section 1). */
export const createReferenceVideo = createOperation({
	value: 'createReferenceVideo',
	name: 'Create Reference Video',
	action: 'Create video from references',
	description:
		'Generate a video from images, videos or audio files as references, or edit or extend a video',
	workflow: 'reference-to-video',
	prompt: promptField(
		'e.g. The person from the image walks through the scene of the video',
		'What the video shows, and what to use from which reference',
	),
	ownFields: [...propertiesOf(LISTS), binaryFields],
	ownProperties: referencesFrom,
});

/** The lists that have entries, URLs before files; an empty one is not sent. */
function referencesFrom(parameters: Parameters, takeFile: TakeFile): Record<string, Media[]> {
	const files = binaryFieldNames(parameters.get(binaryFields.name)).map((binaryField) =>
		takeFile(binaryFields.displayName, binaryField, KINDS),
	);
	const lists = LISTS.map(({ kind, sentAs, property, max, what }): [string, Media[]] => {
		const label = property.displayName;
		const urls = urlsFrom(label, parameters.get(property.name));
		const entries = [...urls, ...files.filter((file) => file.kind === kind)];
		return [sentAs, atMost(max, label, entries, `${what}, files included`)];
	}).filter(([, entries]) => entries.length > 0);
	if (lists.length > 0) return Object.fromEntries(lists);
	const labels = LISTS.map(({ property }) => property.displayName);
	throw new InvalidParameter(
		`${labels.join(', ')} and ${binaryFields.displayName}`,
		'are all empty.',
		'Give at least one image, video or audio file.',
	);
}
