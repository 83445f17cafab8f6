import type { INodeProperties } from 'n8n-workflow';
import { isJsonObject, parseJson } from '../common/json';
import { parseHttpUrl } from '../common/url';
import { GIVE_FULL_URL, USE_THEIR_NODE } from './advice';
import type { Field } from './field';
import { InvalidParameter, isEmpty, type NamedField, shown } from './invalidParameter';

/** Lists in lists that are still taken as one; a list that holds itself would have no end. */
const MAX_NESTING = 8;

/** What a text of a list holds; `isElement` says that an array gave it as one of its elements. */
type Split = (text: string, isElement: boolean) => string[];

/**
 * The entries of a list as people write one: an array from an expression, a JSON array as text, or
 * text with separators. Empty entries are dropped, order is kept.
 */
function entriesOf(value: unknown, split: Split, depth = 0): unknown[] {
	if (isEmpty(value)) return [];
	const text = typeof value === 'string' ? value.trim() : '';
	const list = text.startsWith('[') ? parseJson(text) : value;
	if (Array.isArray(list)) {
		if (depth > MAX_NESTING) return [list];
		return list.flatMap((element) => entriesOf(element, split, depth + 1));
	}
	return text === '' ? [value] : split(text, depth > 0).filter((entry) => entry !== '');
}

/** White space always separates two URLs; a comma does so only where the next URL begins. */
const URL_SEPARATOR = /\s+|,(?=[a-z][a-z\d+.-]*:\/\/)/i;
const EDGE_COMMAS = /^,+|,+$/g;

/** An element of an array is one URL with all its commas, unless it is plainly a list itself. */
const splitUrls: Split = (text, isElement) =>
	isElement && !/\s/.test(text)
		? [text]
		: text.split(URL_SEPARATOR).map((entry) => entry.replace(EDGE_COMMAS, ''));

/** What a field of text says itself. */
type Texts = Omit<INodeProperties, 'type' | 'default'> & { default?: string };

const textProperty = (texts: Texts): INodeProperties => ({ type: 'string', default: '', ...texts });

/** The names of binary fields, separated by commas or one a line; whether they are there is not known yet. */
export const binaryFieldsField = (texts: Texts): Field<unknown[]> => ({
	property: textProperty(texts),
	read: (given) => entriesOf(given, (text) => text.split(/[,\n]/).map((name) => name.trim())),
});

/** The name of a binary field, or the file itself from an expression; nothing when it is left empty. */
export const binaryFieldField = (texts: Texts): Field<unknown> => ({
	property: textProperty(texts),
	read: (given) => (isEmpty(given) && !texts.required ? undefined : given),
});

/** One URL; nothing when the field is empty. */
export const urlField = (texts: Texts): Field<string | undefined> => ({
	property: textProperty(texts),
	read(given) {
		if (isEmpty(given)) return undefined;
		const text = typeof given === 'string' ? given.trim() : given;
		if (isFullUrl(text)) return text;
		throw new InvalidParameter(texts, `: ${shown(text)} is not a URL.`, GIVE_FULL_URL);
	},
});

/**
 * Any number of URLs; an entry that is none is named with its position.
 * @param forFiles What to do with a file that is on somebody's disk.
 */
export const urlsField = (
	texts: Texts,
	forFiles: string,
): Field<string[]> & { pageNotice: INodeProperties } => ({
	property: textProperty(texts),
	pageNotice: pageNotice(texts, forFiles),
	read: (given) =>
		entriesOf(given, splitUrls).map((entry, index, { length }) => {
			if (isFullUrl(entry)) return entry;
			const place = length > 1 ? `: entry ${index + 1}, ${shown(entry)},` : `: ${shown(entry)}`;
			throw new InvalidParameter(texts, `${place} is not a URL.`, adviceFor(entry, forFiles));
		}),
});

/** Pages around a file: Google Drive's, and Dropbox's unless they are told to give the file. */
export const SHARE_PAGE =
	/(?:^|[\s,])https?:\/\/(?:drive\.google\.com\/(?:file|open)|(?:www\.)?dropbox\.com\/(?!\S*[?&](?:dl|raw)=1))/;

const pageNotice = (
	{ displayName, name, displayOptions }: Texts,
	forFiles: string,
): INodeProperties => ({
	displayName: `${displayName} ${USE_THEIR_NODE} ${forFiles}`,
	name: `${name}PageNotice`,
	type: 'notice',
	default: '',
	displayOptions: {
		show: { ...displayOptions?.show, [name]: [{ _cnd: { regex: SHARE_PAGE.source } }] },
	},
});

const isFullUrl = (text: unknown): text is string =>
	typeof text === 'string' && !/\s/.test(text) && parseHttpUrl(text) !== undefined;

/** As Windows, macOS and Linux write where a file is. */
const FILE_PATH = /^(?:[a-z]:[\\/]|[\\/~]|\.{1,2}[\\/]|file:)/i;

function adviceFor(entry: unknown, forFiles: string): string {
	if (isJsonObject(entry)) return `${GIVE_FULL_URL} Give the text of the URL, not an object.`;
	return typeof entry === 'string' && FILE_PATH.test(entry)
		? `This is a file on a computer, which the service cannot open. ${forFiles}`
		: `${GIVE_FULL_URL} ${forFiles}`;
}

/** @throws InvalidParameter when there are more entries than the service takes */
export function atMost<Entry>(
	max: number,
	field: NamedField,
	entries: Entry[],
	what: string,
): Entry[] {
	if (entries.length <= max) return entries;
	throw new InvalidParameter(
		field,
		`: ${entries.length} were given.`,
		`The service takes up to ${max} ${what}.`,
	);
}
