import { parseHttpUrl } from '../ground/url';
import { LABELS, nth } from '../ground/words';
import type { StatusError } from './answer';
import { modelOf } from './contract/limits';
import type { GenerationRequest } from './contract/request';

type NameIn<Request> = Request extends Request ? keyof Request : never;

/** The lists of a request, and what their entries are. */
export const MEDIA_LISTS = {
	image_urls: 'image',
	video_urls: 'video',
	audio_urls: 'audio file',
} as const;
export type MediaList = keyof typeof MEDIA_LISTS;

/**
 * The editor's label for each name of the contract (section 2.1), those first that say most where a text
 * has several: people change a ratio sooner than the model, and prompts are spoken of anywhere.
 */
const LABEL_OF: Record<NameIn<GenerationRequest> | 'web_search', string> = {
	aspect_ratio: LABELS.aspectRatio,
	generate_audio: LABELS.generateAudio,
	content_filter: LABELS.contentFilter,
	callback_url: LABELS.callbackUrl,
	image_urls: LABELS.imageUrls,
	video_urls: LABELS.videoUrls,
	audio_urls: LABELS.audioUrls,
	web_search: LABELS.webSearch,
	model_params: LABELS.modelParams,
	duration: LABELS.duration,
	quality: LABELS.quality,
	model: LABELS.modelFamily,
	prompt: LABELS.prompt,
};
type Name = keyof typeof LABEL_OF;
const isName = (name: string): name is Name => Object.hasOwn(LABEL_OF, name);
const NAMES = Object.keys(LABEL_OF).filter(isName);

/** Of these, a text may speak without meaning the field. */
const OTHER_MEANINGS: Partial<Record<Name, string>> = {
	quality: '|image |picture |photo |audio |sound ',
};

/** Each name as a whole word, with the number of an entry behind it where there is one. */
const PATTERNS = NAMES.map((name): [Name, RegExp] => [
	name,
	new RegExp(`(?<!\\w${OTHER_MEANINGS[name] ?? ''})${name}(?!\\w)(?:[[.](\\d{1,3}))?`, 'i'),
]);

/** A field of the request that an answer names. */
export interface RequestField {
	name: Name;
	/** Of the entry in its list, from 0. */
	index?: number;
}

/** The field that an answer names: where services name it, else in their words. */
export const fieldIn = ({ param, serviceMessage }: Pick<StatusError, 'param' | 'serviceMessage'>) =>
	findField(param) ?? findField(serviceMessage);

function findField(text = ''): RequestField | undefined {
	for (const [name, pattern] of PATTERNS) {
		const found = pattern.exec(text);
		if (found) return { name, index: found[1] === undefined ? undefined : Number(found[1]) };
	}
	return undefined;
}

/** Whether an entry of a list is a file, by a link of n8n, inline or by name, and not a link of the person. */
export function isFile(entry: string): boolean {
	const url = parseHttpUrl(entry);
	return url === undefined || isSignedByN8n(url);
}

/** Whether a URL opens a file of n8n without a login. */
export const isSignedByN8n = ({ pathname }: URL): boolean =>
	pathname.endsWith('/binary-data/signed');

export const isMediaList = (name: string): name is MediaList => Object.hasOwn(MEDIA_LISTS, name);

/** The entries of a list of the request; none where it has no such list. */
export function entriesOf(list: MediaList, request: GenerationRequest): string[] {
	const entries: unknown = Reflect.get(request, list);
	return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
}

/**
 * A field as the editor shows it, with the entry of its list where that is named.
 * @param request What was sent, because one list of it stands for several fields.
 */
export function labelOf({ name, index }: RequestField, request?: GenerationRequest): string {
	if (!request || !isMediaList(name)) return LABEL_OF[name];
	const entries = entriesOf(name, request);
	const named = index === undefined ? entries : entries.slice(index, index + 1);
	const areFiles = named.length > 0 && named.every(isFile);
	if (request.model.endsWith(modelOf('', 'image-to-video'))) {
		const frames = areFiles
			? [LABELS.firstFrameBinaryProperty, LABELS.lastFrameBinaryProperty]
			: [LABELS.firstFrameUrl, LABELS.lastFrameUrl];
		const isOne = index !== undefined || entries.length < 2;
		return (isOne && frames[index ?? 0]) || frames.join(' or ');
	}
	const label = areFiles ? LABELS.referenceBinaryProperties : LABEL_OF[name];
	return index === undefined ? label : `${label} (${nth(index)} ${MEDIA_LISTS[name]})`;
}
