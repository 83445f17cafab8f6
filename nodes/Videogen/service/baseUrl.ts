import { withoutEdges } from '../common/bounds';
import { parseHttpUrl } from '../common/url';

/** What documentations show behind it, and people copy with it. The endpoints' paths begin with it. */
const END_OF_ENDPOINT = /\/v1(?:\/videos(?:\/generations)?|\/tasks)?$/;

/**
 * The credential's Base URL as requests use it: no space around it, no slash and no endpoint at its
 * end, a path prefix kept. `undefined` when it is no http(s) URL, or has a query or login in it.
 */
export function cleanBaseUrl(text: unknown): string | undefined {
	const url = typeof text === 'string' ? parseHttpUrl(text.trim()) : undefined;
	if (url === undefined || url.search || url.hash || url.username || url.password) return undefined;
	return withoutEdges(`${url.origin}${url.pathname}`, /\//).replace(END_OF_ENDPOINT, '');
}

/** An API key as it is sent: keys are pasted with spaces, line ends and the word “Bearer” around. */
export const cleanApiKey = (text: unknown): string =>
	typeof text === 'string' ? text.trim().replace(/^bearer\s+/i, '') : '';
