import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** Far more than anybody means; far less than what n8n, which goes down by recursion, can follow. */
const MAX_NESTING = 500;

/** The value that a text holds as JSON; `undefined` when it is not JSON, or endlessly nested. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

/** A value as it arrives when it is sent as JSON; `undefined` when it cannot be. */
export function throughJson(value: unknown): unknown {
	try {
		return parseJson(JSON.stringify(value));
	} catch {
		return undefined;
	}
}

/** Every level has two brackets, so that a short text is not worth a look. */
const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_NESTING;

/** Level by level, because recursion is what it is to protect from. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_NESTING) return true;
		level = level.flatMap((entry) =>
			typeof entry === 'object' && entry !== null ? Object.values(entry) : [],
		);
	}
	return false;
}

/** Whether a parsed value is a JSON object, the only shape n8n takes as an item. */
export const isJsonObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a body is markup, as web servers and gateways send it; no JSON begins like this. */
export const looksLikeHtml = (text: string): boolean => /^\s*</.test(text);

/** A short text that tells a JSON value from all others. */
export const hashOf = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');
