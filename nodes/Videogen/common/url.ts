/** The URL that a text holds, or `undefined`. */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** The same, if it is one of a server. */
export const parseHttpUrl = (text: string): URL | undefined =>
	/^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
