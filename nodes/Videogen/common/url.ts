import { MAX_URL_CHARACTERS } from './bounds';

/** The URL that a text holds, or `undefined`. A part of one is of the base. */
export function parseUrl(text: string, base?: URL): URL | undefined {
	if (text.length > MAX_URL_CHARACTERS) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** The http(s) URL that a text holds, or `undefined`. */
export const parseHttpUrl = (text: string): URL | undefined =>
	/^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
