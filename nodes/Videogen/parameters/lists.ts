import { isJsonObject, parseJson } from '../common/json';
import { parseHttpUrl } from '../common/url';
import { InvalidParameter, isEmpty, shown } from './invalidParameter';

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

/** The names of binary fields in a list, separated by commas or one a line. */
export const binaryFieldNames = (value: unknown): unknown[] =>
	entriesOf(value, (text) => text.split(/[,\n]/).map((name) => name.trim()));

/** White space always separates two URLs; a comma does so only where the next URL begins. */
const URL_SEPARATOR = /\s+|,(?=[a-z][a-z\d+.-]*:\/\/)/i;
const EDGE_COMMAS = /^,+|,+$/g;

/** An element of an array is one URL with all its commas, unless it is plainly a list itself. */
const splitUrls: Split = (text, isElement) =>
	isElement && !/\s/.test(text)
		? [text]
		: text.split(URL_SEPARATOR).map((entry) => entry.replace(EDGE_COMMAS, ''));

const ADVICE = 'Use a full URL that begins with http:// or https://.';

const isFullUrl = (text: unknown): text is string =>
	typeof text === 'string' && !/\s/.test(text) && parseHttpUrl(text) !== undefined;

/** The one URL of a field, or `undefined` when the field is empty. */
export function urlFrom(label: string, value: unknown): string | undefined {
	if (isEmpty(value)) return undefined;
	const text = typeof value === 'string' ? value.trim() : value;
	if (isFullUrl(text)) return text;
	throw new InvalidParameter(label, `${shown(text)} is not a URL.`, ADVICE);
}

/** All URLs of a field that takes many; an entry that is none is named with its position. */
export const urlsFrom = (label: string, value: unknown): string[] =>
	entriesOf(value, splitUrls).map((entry, index, entries) => {
		if (isFullUrl(entry)) return entry;
		const hint = isJsonObject(entry) ? ' Give the text of the URL, not an object.' : '';
		throw new InvalidParameter(
			label,
			entries.length > 1
				? `entry ${index + 1}, ${shown(entry)}, is not a URL.`
				: `${shown(entry)} is not a URL.`,
			`${ADVICE}${hint}`,
		);
	});

/** @throws InvalidParameter when there are more entries than the service takes */
export function atMost<Entry>(max: number, label: string, entries: Entry[], what: string): Entry[] {
	if (entries.length <= max) return entries;
	throw new InvalidParameter(
		label,
		`${entries.length} were given.`,
		`The service takes up to ${max} ${what}.`,
	);
}
