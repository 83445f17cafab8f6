import type { INodeProperties } from 'n8n-workflow';
import { MAX_URL_CHARACTERS, withoutEdges } from '../ground/text';
import { isJsonObject, parseJson } from '../ground/json';
import { parseHttpUrl } from '../ground/url';
import {
	GIVE_FULL_URL,
	USE_THEIR_NODE,
	InvalidParameter,
	isEmpty,
	type NamedField,
	shown,
} from '../ground/words';
import type { Field } from './field';

/** How deep lists in lists are read; a list that holds itself would have no end. */
const MAX_LIST_LEVELS = 8;

/** More than the service takes. Reading all of a longer list would keep n8n from other work. */
const MAX_LIST_ENTRIES = 1_000;
const MAX_LIST_CHARACTERS = 32 * MAX_URL_CHARACTERS;

/** The entries in a text; `isElement` says that the text is an element of an array. */
type Split = (text: string, isElement: boolean) => string[];

/**
 * The entries of a list as people write it: an array from an expression, a JSON array as text, or a
 * text with separators. Empty entries are dropped, the order is kept. What is too long for a list is
 * one entry, which is neither a URL nor a name.
 */
function entriesOf(value: unknown, split: Split, depth = 0): unknown[] {
	if (isEmpty(value)) return [];
	const text = typeof value === 'string' ? value.trim() : '';
	if (text.length > MAX_LIST_CHARACTERS) return [text];
	const list = text.startsWith('[') ? parseJson(text) : value;
	if (Array.isArray(list)) {
		if (depth > MAX_LIST_LEVELS || list.length > MAX_LIST_ENTRIES) return [list];
		return list.flatMap((element) => entriesOf(element, split, depth + 1));
	}
	return text === '' ? [value] : split(text, depth > 0).filter((entry) => entry !== '');
}

/** White space always separates two URLs; a comma does so only where the next URL begins. */
const URL_SEPARATOR = /\s+|,(?=[a-z][a-z\d+.-]*:\/\/)/i;

/** An element of an array is one URL with all its commas, unless white space makes it a list. */
const splitUrls: Split = (text, isElement) =>
	isElement && !/\s/.test(text)
		? [text]
		: text.split(URL_SEPARATOR).map((entry) => withoutEdges(entry, /,/));

type Texts = Omit<INodeProperties, 'type' | 'default'> & { default?: string };

const textProperty = (texts: Texts): INodeProperties => ({ type: 'string', default: '', ...texts });

/** Names of binary fields, separated by commas or line ends. */
export const binaryFieldsField = (texts: Texts): Field<unknown[]> => ({
	property: textProperty(texts),
	read: (given) => entriesOf(given, (text) => text.split(/[,\n]/).map((name) => name.trim())),
});

/** The name of a binary field, or a file from an expression; `undefined` when it may be empty and is. */
export const binaryFieldField = (texts: Texts): Field<unknown> => ({
	property: textProperty(texts),
	read: (given) => (isEmpty(given) && !texts.required ? undefined : given),
});

/** A URL; `undefined` when the field is empty. */
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
 * Any number of URLs, with a notice for those of pages around a file.
 * @param forFiles How to use a file instead.
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

/** URLs of pages around a file: Google Drive's, and Dropbox's that do not ask for the file itself. */
export const SHARE_PAGE =
	/^https?:\/\/(?:drive\.google\.com\/(?:file|open)|(?:www\.)?dropbox\.com\/(?!\S*[?&](?:dl|raw)=1))/;

/** The same anywhere in a field, for the editor. */
const SHARE_PAGE_IN_LIST = SHARE_PAGE.source.replace('^', '(?:^|[\\s,])');

const pageNotice = (
	{ displayName, name, displayOptions }: Texts,
	forFiles: string,
): INodeProperties => ({
	displayName: `${displayName} ${USE_THEIR_NODE} ${forFiles}`,
	name: `${name}PageNotice`,
	type: 'notice',
	default: '',
	displayOptions: {
		show: { ...displayOptions?.show, [name]: [{ _cnd: { regex: SHARE_PAGE_IN_LIST } }] },
	},
});

const isFullUrl = (text: unknown): text is string =>
	typeof text === 'string' && parseHttpUrl(text) !== undefined && !/\s/.test(text);

/** Paths of files as Windows, macOS and Linux write them. */
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
