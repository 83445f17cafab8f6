import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { parseJson, throughJson } from '../shared/json';
import {
	GIVE_FULL_URL,
	GIVE_SHORT_URL,
	InvalidParameter,
	isEmpty,
	type NamedField,
	shown,
} from '../shared/messages';
import { bare, MAX_NAME_CHARACTERS, MAX_URL_CHARACTERS, withoutEdges } from '../shared/text';
import { parseHttpUrl } from '../shared/url';
import { type Field, fieldOf, textField } from './field';

/** Whitespace always separates two URLs. Other marks do so only right before the next URL. */
const URL_SEPARATOR = /\s+|[,;|，、；｜،؛](?=[a-z][a-z\d+.-]*:\/\/)/i;

/** For URLs that may contain blanks: splits only at a line end or right before the next URL. */
const WHOLE_URL_SEPARATOR = /[\r\n]|[\s,;|，、；｜،؛](?=https?:\/\/)/i;

const EDGE = /[\s\p{Cf},;|，、；｜،؛]/u;

/** More entries, empty ones included, are a mistake, and looking at each would take long. */
const MAX_ENTRIES = 10_000;

/** One more part than may be is enough to notice. */
const partsOf = (text: string, separator: RegExp): string[] =>
	text.split(separator, MAX_ENTRIES + 1);

/** The URLs in a text, with the blanks inside them encoded. */
const wholeUrlsIn = (text: string): string[] =>
	partsOf(text, WHOLE_URL_SEPARATOR).map((part) => {
		const entry = withoutEdges(part, EDGE);
		return /^https?:\/\//i.test(entry) ? entry.replace(/\s/g, '%20') : entry;
	});

const urlsIn = (text: string): string[] =>
	partsOf(text, URL_SEPARATOR).map((entry) => withoutEdges(entry, EDGE));

/**
 * The elements of an array, flattened. The array comes from an expression or as JSON text;
 * `undefined` for anything else.
 */
function elementsOf(given: unknown): unknown[] | undefined {
	const isJsonText = typeof given === 'string' && given.startsWith('[');
	const list = isJsonText ? parseJson(given) : throughJson(given);
	return Array.isArray(list) ? list.flat(Infinity) : undefined;
}

/**
 * The non-empty entries of a list, in order.
 * @throws InvalidParameter if there are far too many
 */
function entriesOf(
	field: NamedField,
	list: unknown[],
	split: (text: string) => string[],
): unknown[] {
	const entries = list
		.slice(0, MAX_ENTRIES + 1)
		.flatMap((entry) => (typeof entry === 'string' ? split(entry) : [entry]));
	if (entries.length <= MAX_ENTRIES) return entries.filter((entry) => !isEmpty(entry));
	const what = ` has more than ${MAX_ENTRIES} entries.`;
	throw new InvalidParameter(field, what, 'Use a shorter list.');
}

type Texts = Omit<INodeProperties, 'type' | 'default'> & { default?: string };

const A_NAME = 'Enter the name of a binary field, such as data.';

/** The name of a binary field. Empty if the field is optional and was left empty. */
export const binaryFieldField = (texts: Texts): Field<string> =>
	textField(
		{ ...texts, default: texts.default ?? '' },
		z.string().max(MAX_NAME_CHARACTERS),
		A_NAME,
	);

/** Names of binary fields, separated by commas or line ends. */
export const binaryFieldsField = (texts: Texts): Field<string[]> =>
	fieldOf({ ...texts, type: 'string', default: '' }, A_NAME, (given) => {
		const names = entriesOf(texts, elementsOf(given) ?? [given], (text) =>
			partsOf(text, /[,\n]/).map(bare),
		);
		return names.every((name) => typeof name === 'string') ? names : undefined;
	});

const isTooLong = (text: unknown): boolean =>
	typeof text === 'string' && text.length > MAX_URL_CHARACTERS;

const isHttpUrl = (text: unknown): text is string =>
	typeof text === 'string' && parseHttpUrl(text) !== undefined && !/\s/.test(text);

/** A single URL, which does not have to lead to a file. */
export const urlField = (texts: Texts): Field<string> =>
	fieldOf({ ...texts, type: 'string', default: '' }, GIVE_FULL_URL, (given) => {
		const [url, ...others] = entriesOf(texts, [given], wholeUrlsIn);
		if (isTooLong(url)) throw new InvalidParameter(texts, ' is too long.', GIVE_SHORT_URL);
		return isHttpUrl(url) && others.length === 0 ? url : undefined;
	});

/**
 * URLs of files.
 * @param forFiles How to use a file instead, as a sentence.
 * @param isOne Whether the field is for one URL, so that blanks belong to it. An expression may
 *   still return a list.
 */
export const urlsField = (texts: Texts, forFiles: string, isOne = false): Field<string[]> => {
	const allowed = `${GIVE_FULL_URL} ${forFiles}`;
	return fieldOf({ ...texts, type: 'string', default: '' }, allowed, (given) => {
		const elements = elementsOf(given);
		const split = isOne || elements ? wholeUrlsIn : urlsIn;
		const entries = entriesOf(texts, elements ?? [given], split);
		if (texts.required && entries.length === 0) return undefined;
		return entries.map((entry, index) => {
			const place =
				entries.length > 1 ? `: entry ${index + 1}, ${shown(entry)},` : `: ${shown(entry)}`;
			const refused = (what: string, advice: string) =>
				new InvalidParameter(texts, `${place} ${what}`, advice, 'file');
			if (isTooLong(entry)) throw refused('is too long.', `${GIVE_SHORT_URL} ${forFiles}`);
			if (!isHttpUrl(entry)) throw refused('is not a URL.', allowed);
			const node = nodeForPage(entry);
			if (node === undefined) return entry;
			throw refused(
				'leads to a page, not to the file itself.',
				`Put the ${node} node before this one to download the file. ${forFiles}`,
			);
		});
	});
};

/**
 * Share pages, matched by host, path and query, with the n8n node that downloads the file. A
 * service that opens such a page gets HTML.
 */
const PAGES: Array<[page: RegExp, node: string]> = [
	[
		/^(?:drive|docs)\.google\.com\/(?!download|thumbnail)(?!.*(?:[?&]export=download|\/export\b|\/pub\b))/,
		'Google Drive',
	],
	[/^(?:1drv\.ms|onedrive\.live\.com)\/(?!download|.*[?&]download=1)/, 'Microsoft OneDrive'],
	[/^[^/]*\.sharepoint\.com\/:\w:\/(?!.*[?&]download=1)/, 'Microsoft SharePoint'],
	[/^(?:www\.)?dropbox\.com\/(?!.*[?&](?:dl|raw)=1)/, 'Dropbox'],
];

/** The node that downloads the file, if the URL opens a share page. */
function nodeForPage(text: string): string | undefined {
	const { hostname, pathname, search } = new URL(text);
	return PAGES.find(([page]) => page.test(`${hostname}${pathname}${search}`))?.[1];
}

/** @throws InvalidParameter if there are more entries than the service accepts */
export function atMost<Entry>(
	max: number,
	field: NamedField,
	entries: Entry[],
	what: string,
): Entry[] {
	if (entries.length <= max) return entries;
	throw new InvalidParameter(
		field,
		` has ${entries.length} ${what}.`,
		`The provider takes up to ${max}.`,
	);
}
