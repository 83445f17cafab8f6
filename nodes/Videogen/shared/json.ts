import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** n8n traverses values recursively, which fails at a few thousand levels. */
const MAX_JSON_LEVELS = 500;

/** Parses JSON. `undefined` if there is no text, or if it is not JSON or has too many levels. */
export function parseJson(text: string | undefined): unknown {
	try {
		// A thrown error takes long, and most fields of most items are empty.
		return text === undefined || isTooDeep(text) ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A value as JSON, or `undefined` if it cannot be written as such. */
export function jsonTextOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/** What arrives when a value is sent as JSON, or `undefined` if it cannot be sent. */
export const throughJson = (value: unknown): unknown => parseJson(jsonTextOf(value));

/** How JSON writes half a character, and every other escape. */
const ESCAPES = /\\(?:ud[\da-f]{3}|.)/g;

/** A JSON value without half characters, which strict parsers refuse, in its texts and names. */
export function wellFormedJson<Value>(value: Value): Value {
	const text = jsonTextOf(value);
	// Hardly any value has one.
	if (!text?.includes('\\ud')) return value;
	return JSON.parse(
		text.replace(ESCAPES, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape)),
	);
}

/** Counts brackets outside of texts, which is faster than going through the parsed value. */
function isTooDeep(text: string): boolean {
	let depth = 0;
	let isInText = false;
	for (let at = 0; at < text.length; at += 1) {
		const character = text[at];
		if (character === '"') isInText = !isInText;
		else if (character === '\\') at += 1;
		else if (!isInText && (character === '[' || character === '{')) depth += 1;
		else if (!isInText && (character === ']' || character === '}')) depth -= 1;
		if (depth > MAX_JSON_LEVELS) return true;
	}
	return false;
}

/** Whether a value is a JSON object, the only shape that n8n accepts as an item. */
export const isJsonObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a body is a page from a web server or a gateway. JSON never starts like this. */
export const looksLikeHtml = (text: string): boolean => /^\s*</.test(text);

const sha256Of = (value: unknown) => createHash('sha256').update(JSON.stringify(value));

/** A short hash that identifies a JSON value. */
export const hashOf = (value: unknown): string => sha256Of(value).digest('base64url');

/** A UUID of version 4 (RFC 9562): its digits, apart from those of the version and the variant. */
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;

/** The same value gives the same UUID in every process. */
export const uuidOf = (value: unknown): string =>
	sha256Of(value).digest('hex').replace(UUID, '$1-$2-4$3-8$4-$5');
