import { MAX_URL_CHARACTERS } from './bounds';

/** The URL that a text holds, or `undefined`. */
export function parseUrl(text: string): URL | undefined {
	if (text.length > MAX_URL_CHARACTERS) return undefined;
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** The http(s) URL that a text holds, or `undefined`. */
export const parseHttpUrl = (text: string): URL | undefined =>
	/^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
