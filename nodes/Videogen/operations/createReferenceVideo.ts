import type { ItemFile, Media, MediaKind, ResolveFile } from '../files/inputs';
import { type Parameters, propertiesOf, valueIn } from '../fields/field';
import { InvalidParameter } from '../shared/messages';
import { atMost, binaryFieldsField, urlsField } from '../fields/lists';
import { promptField } from '../fields/video';
import { REFERENCE_AUDIOS, REFERENCE_IMAGES, REFERENCE_VIDEOS } from '../service/contract/limits';
import { createOperation } from './createOperation';

const files = binaryFieldsField({
	displayName: 'Input Binary Fields',
	name: 'referenceBinaryProperties',
	placeholder: 'e.g. data, voice',
	hint: 'The names above the files in the Binary tab, separated by commas. Use at least one reference, here or above.',
	description:
		'Images, videos or audio files that the model uses as references. For videos and audio, the provider must be able to reach this n8n instance over the internet.',
});

const FOR_FILES = `For files, use '${files.property.displayName}'.`;

/** One list of references: its field and its request property. */
const listOf = (kind: MediaKind, label: string, max: number, what: string, example: string) => ({
	kind,
	sentAs: `${kind}_urls`,
	max,
	what,
	urls: urlsField(
		{
			displayName: label,
			name: `${kind}Urls`,
			typeOptions: { rows: 2 },
			placeholder: `e.g. https://example.com/${example}`,
			description: `Public URLs of ${what} that the model uses as references. An expression may give a list.`,
			hint: `Up to ${max}, one per line or separated by commas`,
		},
		FOR_FILES,
	),
});

const LISTS = [
	listOf('image', 'Image URLs', REFERENCE_IMAGES.max, 'images', 'person.png'),
	listOf('video', 'Video URLs', REFERENCE_VIDEOS.max, 'videos', 'scene.mp4'),
	listOf('audio', 'Audio URLs', REFERENCE_AUDIOS.max, 'audio files', 'voice.mp3'),
];
const KINDS = LISTS.map(({ kind }) => kind);

/**
 * Reference to video: from images, videos and audio files
 * (docs/internals/service-contract.md, section 1).
 */
export const createReferenceVideo = createOperation({
	value: 'createReferenceVideo',
	name: 'Create Reference Video',
	action: 'Create video from references',
	description: 'Create a video from references: images, videos or audio files',
	workflow: 'reference-to-video',
	prompt: promptField(
		'e.g. The person from the image walks through the scene of the video',
		'What the video shows, and what to use from which reference. Your provider’s documentation says how to name a reference.',
	),
	ownFields: propertiesOf([...LISTS.map(({ urls }) => urls), files]),
	ownProperties: referencesFrom,
});

/** The non-empty lists, with URLs before files. */
async function referencesFrom(
	parameters: Parameters,
	resolveFile: ResolveFile,
): Promise<Record<string, Media[]>> {
	const given: ItemFile[] = [];
	for (const name of valueIn(parameters, files)) {
		given.push(await resolveFile(files.property, name, KINDS));
	}
	const lists = LISTS.map(({ kind, sentAs, urls, max, what }): [string, Media[]] => {
		const ofKind = given.filter((file) => file.isOf(kind));
		const entries = [...valueIn(parameters, urls), ...ofKind];
		return [sentAs, atMost(max, urls.property, entries, `${what}, files included`)];
	}).filter(([, entries]) => entries.length > 0);
	if (lists.length > 0) return Object.fromEntries(lists);
	const labels = LISTS.map(({ urls }) => urls.property.displayName).join(', ');
	throw new InvalidParameter(
		{ displayName: `${labels} and ${files.property.displayName}` },
		' are all empty.',
		'Give at least one image, video or audio file.',
	);
}
