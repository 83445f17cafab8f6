import type { INodeProperties } from 'n8n-workflow';
import { MAX_URL_CHARACTERS, withoutEdges } from '../ground/text';
import { isJsonObject, parseJson } from '../ground/json';
import { parseHttpUrl } from '../ground/url';
import { GIVE_FULL_URL, InvalidParameter, isEmpty, type NamedField, shown } from '../ground/words';
import type { Field } from './field';
import { SWITCH_TO_EXPRESSION } from './prompt';
import { fileUrlOf, nodeForPage } from './sharePages';

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

/** Where blanks may belong to a URL, the next one has to begin, or a line. */
const ELEMENT_SEPARATOR = /[\r\n]|[\s,](?=https?:\/\/)/i;

/** An element of an array is one URL with all its commas, unless white space makes it a list. */
const splitUrls: Split = (text, isElement) => {
	if (isElement && !/\s/.test(text)) return [text];
	return isElement
		? text.split(ELEMENT_SEPARATOR).map((entry) => withBlanks(withoutEdges(entry, /[\s,]/)))
		: text.split(URL_SEPARATOR).map((entry) => withoutEdges(entry, /,/));
};

/** A URL whose blanks are written as URLs have them; a text with two URLs stays none. */
const withBlanks = (text: string): string =>
	/^\s*https?:\/\/(?!.*\shttps?:\/\/)/i.test(text)
		? text.trim().replace(/[^\S\r\n]/g, '%20')
		: text.trim();

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
		const text = typeof given === 'string' ? withBlanks(given) : given;
		if (isFullUrl(text)) return text;
		throw new InvalidParameter(texts, `: ${shown(given)} is not a URL.`, GIVE_FULL_URL);
	},
});

/**
 * URLs of files.
 * @param forFiles How to use a file instead.
 * @param isOne Whether the field is for one URL, in which blanks belong to it; an expression may give
 *   a list all the same.
 */
export const urlsField = (texts: Texts, forFiles: string, isOne = false): Field<string[]> => ({
	property: textProperty(texts),
	read: (given) =>
		entriesOf(given, (text, isElement) => splitUrls(text, isOne || isElement)).map(
			(entry, index, { length }) => {
				const place = length > 1 ? `: entry ${index + 1}, ${shown(entry)},` : `: ${shown(entry)}`;
				const refused = (what: string, advice: string) =>
					new InvalidParameter(texts, `${place} ${what}`, advice, 'file');
				if (!isFullUrl(entry)) throw refused('is not a URL.', adviceFor(entry, length, forFiles));
				const url = fileUrlOf(entry);
				const node = nodeForPage(url);
				if (node === undefined) return url;
				throw refused('leads to a page, not to the file itself.', adviceOnPage(node, forFiles));
			},
		),
});

const adviceOnPage = (node: string, forFiles: string): string =>
	`Put the ${node} node before this one, let it download the file, and use that. ${forFiles}`;

const isFullUrl = (text: unknown): text is string =>
	typeof text === 'string' && parseHttpUrl(text) !== undefined && !/\s/.test(text);

/** Paths of files as Windows, macOS and Linux write them. */
const FILE_PATH = /^(?:[a-z]:[\\/]|[\\/~]|\.{1,2}[\\/]|file:)/i;

function adviceFor(entry: unknown, entries: number, forFiles: string): string {
	if (isJsonObject(entry)) return `${GIVE_FULL_URL} Give the text of the URL, not an object.`;
	if (typeof entry === 'string' && FILE_PATH.test(entry))
		return `This is a file on a computer, which the service cannot open. ${forFiles}`;
	if (typeof entry === 'string' && entry.includes('{{')) return SWITCH_TO_EXPRESSION;
	const blanks = entries > 1 ? ' Write a blank in a URL as %20.' : '';
	return `${GIVE_FULL_URL}${blanks} ${forFiles}`;
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
