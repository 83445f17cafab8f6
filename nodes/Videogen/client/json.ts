import type { IDataObject } from 'n8n-workflow';

/** The value that a text holds as JSON; `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

/** Whether a parsed value is a JSON object, the only shape n8n takes as an item. */
export const isJsonObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a body is markup, as web servers and gateways send it; no JSON begins like this. */
export const looksLikeHtml = (text: string): boolean => /^\s*</.test(text);
