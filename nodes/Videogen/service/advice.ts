import { isInline } from '../ground/url';
import { LABELS, type Words } from '../ground/words';
import type { StatusError } from './answer';
import type { GenerationRequest } from './contract/request';
import {
	entriesOf,
	fieldIn,
	isFile,
	isMediaList,
	labelOf,
	MEDIA_LISTS,
	type MediaList,
	type RequestField,
} from './requestField';

/** What a service says of a request or a task, ready to be quoted. */
export type Said = Pick<StatusError, 'code' | 'serviceMessage' | 'param'>;

const SOUND = /audio|sound|music|voice|speech/i;
const LISTS = Object.keys(MEDIA_LISTS).filter(isMediaList);

/** The lists that a request has; all of them where it is not known. */
const listsOf = (request?: GenerationRequest): MediaList[] =>
	LISTS.filter((list) => !request || entriesOf(list, request).length > 0);

/** Whether a request has images, videos or audio files, as far as is known. */
export const hasMedia = (request?: GenerationRequest): boolean => listsOf(request).length > 0;

/** How to order a video again in the node that ordered it, inside a sentence. */
export const RUN_AGAIN = 'run this item again';

/**
 * What to change where content was refused, as a whole sentence.
 * @param request Not known for a task that the node only reads.
 * @param toOrderAgain What to do then, inside a sentence.
 */
export function contentAdvice(
	said: Said,
	request?: GenerationRequest,
	toOrderAgain = RUN_AGAIN,
): string {
	const field = fieldIn(said);
	const words = `${said.code ?? ''} ${said.serviceMessage ?? ''}`;
	const files = hasMedia(request) ? ' or the files' : '';
	const isOfList = field !== undefined && isMediaList(field.name);
	const isOfSound = !isOfList && SOUND.test(words) && request?.generate_audio !== false;
	const what = isOfList ? `'${labelOf(field, request)}'` : `the prompt${field ? '' : files}`;
	const sound = isOfSound ? `, or switch off '${LABELS.generateAudio}'` : '';
	return `Change ${what}${sound}, and ${toOrderAgain}.`;
}

const INLINE_ADVICE =
	'An image was sent inside the request, which not every service takes: give its public URL instead, or ask whoever runs this n8n to set WEBHOOK_URL to its whole public URL and N8N_DEFAULT_BINARY_DATA_MODE to filesystem.';

/** What to change where an image was sent inside the request, as a whole sentence; else nothing. */
export const inlineAdvice = (request?: GenerationRequest): string | undefined =>
	request && isInline(request) ? INLINE_ADVICE : undefined;

/** What the service could not fetch or read, as the editor shows it, and what to check. */
export function notReadWords(said: Said, request?: GenerationRequest): Words {
	const field = inputField(said, request);
	const label = field ? labelOf(field, request) : 'an image, video or audio file';
	return [`The service could not fetch or read ${label}`, inputAdvice(inputsOf(field, request))];
}

function inputAdvice(entries: string[]): string {
	if (isInline(entries)) return INLINE_ADVICE;
	const links = entries.filter((entry) => !isFile(entry)).length;
	const open = `Open ${links > 1 ? 'their links' : 'its link'} in a private window of your browser, where the file itself must appear without a login`;
	if (links === entries.length) return `${open}.`;
	return links === 0 ? `Check ${REACHES_N8N}` : `${open}; check ${REACHES_N8N}`;
}

const REACHES_N8N = "that the service can open n8n's own URL from the internet, without a login.";

/** The list that is named; the only one that the request has otherwise, or that the words speak of. */
function inputField(said: Said, request?: GenerationRequest): RequestField | undefined {
	const field = fieldIn(said);
	if (field && isMediaList(field.name)) return field;
	const lists = listsOf(request);
	const words = `${said.code ?? ''} ${said.serviceMessage ?? ''}`.toLowerCase();
	const spokenOf = lists.filter((list) => words.includes(list.slice(0, -'_urls'.length)));
	const [name, ...others] = request && lists.length === 1 ? lists : spokenOf;
	return request && name && others.length === 0 ? { name } : undefined;
}

function inputsOf(field: RequestField | undefined, request?: GenerationRequest): string[] {
	if (!request) return [];
	const lists = field && isMediaList(field.name) ? [field.name] : LISTS;
	const entries = lists.flatMap((list) => entriesOf(list, request));
	return field?.index === undefined ? entries : entries.slice(field.index, field.index + 1);
}
