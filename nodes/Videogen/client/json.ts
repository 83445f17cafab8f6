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

/** Whether a body is a web page, which no answer of the service is. */
export const looksLikeHtml = (text: string): boolean =>
	/^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype|html|head|body|\?xml)\b/i.test(text);
