import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** n8n traverses values recursively, which fails at a few thousand levels. */
const MAX_JSON_LEVELS = 500;

/** Parses JSON. `undefined` if the text is not JSON or has too many levels. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

/** What arrives when a value is sent as JSON, or `undefined` if it cannot be sent. */
export function throughJson(value: unknown): unknown {
	try {
		return parseJson(JSON.stringify(value));
	} catch {
		return undefined;
	}
}

/** A short text has no room for that many brackets. */
const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_JSON_LEVELS;

/** Goes through the value level by level, because recursion could overflow the stack. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_JSON_LEVELS) return true;
		level = level.flatMap((entry) =>
			typeof entry === 'object' && entry !== null ? Object.values(entry) : [],
		);
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
