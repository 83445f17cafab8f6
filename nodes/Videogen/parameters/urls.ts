import { parseUrl } from '../common/url';
import { isJsonObject, parseJson } from '../common/json';
import { InvalidParameter, isEmpty, shown } from './invalidParameter';

/** White space always parts two URLs; a comma does so only where the next URL begins. */
const SEPARATOR = /\s+|,(?=[a-z][a-z\d+.-]*:\/\/)/i;
const EDGE_COMMAS = /^,+|,+$/g;

/** Lists in lists that are still taken as one; a list that holds itself would have no end. */
const MAX_NESTING = 8;

const ADVICE = 'Use a full web address that begins with http:// or https://.';

/**
 * The entries of a list as people write one: an array from an expression, a JSON array as text,
 * one a line, or parted by commas or spaces. Empty entries are dropped, order is kept.
 */
export function urlEntries(value: unknown, depth = 0): unknown[] {
	const entriesOf = (list: unknown[]): unknown[] =>
		depth > MAX_NESTING ? [list] : list.flatMap((element) => elementEntries(element, depth + 1));
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return entriesOf(value);
	if (typeof value !== 'string') return [value];
	const text = value.trim();
	const parsed = text.startsWith('[') ? parseJson(text) : undefined;
	if (Array.isArray(parsed)) return entriesOf(parsed);
	return text
		.split(SEPARATOR)
		.map((entry) => entry.replace(EDGE_COMMAS, ''))
		.filter((entry) => entry !== '');
}

/** An element of an array is one entry with all its commas, unless it is plainly a list itself. */
function elementEntries(element: unknown, depth: number): unknown[] {
	const text = typeof element === 'string' ? element.trim() : '';
	return text === '' || /^\[|\s/.test(text) ? urlEntries(element, depth) : [text];
}

const isWebAddress = (text: string): boolean => {
	const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
	return url !== undefined && url.hostname !== '' && !/\s/.test(text);
};

/** The one URL of a field, or `undefined` when the field is empty. */
export function webAddress(field: string, value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (isEmpty(text)) return undefined;
	if (typeof text === 'string' && isWebAddress(text)) return text;
	throw new InvalidParameter(field, `${shown(text)} is not a web address.`, ADVICE);
}

/** All URLs of a field that takes many; an entry that is none is named with its position. */
export function webAddresses(field: string, value: unknown): string[] {
	return urlEntries(value).map((entry, index) => {
		if (typeof entry === 'string' && isWebAddress(entry)) return entry;
		const hint = isJsonObject(entry) ? ' Give the text of the address, not an object.' : '';
		throw new InvalidParameter(
			field,
			`entry ${index + 1}, ${shown(entry)}, is not a web address.`,
			`${ADVICE}${hint}`,
		);
	});
}
