import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { wellFormed } from './text';

/** n8n traverses values recursively, which fails at a few thousand levels. */
const MAX_JSON_LEVELS = 500;

/** Parses JSON. `undefined` if the text is not JSON or has too many levels. */
export function parseJson(text: string): unknown {
	try {
		return isTooDeep(text) ? undefined : JSON.parse(text);
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
export function throughJson(value: unknown): unknown {
	const text = jsonTextOf(value);
	// A thrown error takes long, and most fields of most items are empty.
	return text === undefined ? undefined : parseJson(text);
}

/** A JSON value in which every text is well-formed Unicode, names included. */
export function wellFormedJson<Value>(value: Value): Value {
	// Written as JSON, half a character is an escape. Hardly any value has one.
	if (!jsonTextOf(value)?.includes('\\ud')) return value;
	return JSON.parse(JSON.stringify(value), (_name, part: unknown) => {
		if (typeof part === 'string') return wellFormed(part);
		if (!isJsonObject(part)) return part;
		return Object.fromEntries(
			Object.entries(part).map(([name, inner]) => [wellFormed(name), inner]),
		);
	});
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

/** A short hash that identifies a JSON value. */
export const hashOf = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** The same value gives the same UUID in every process, formatted as version 4 (RFC 9562). */
export function uuidOf(value: unknown): string {
	const bytes = createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, 16);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
