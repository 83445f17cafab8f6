import { MAX_URL_CHARACTERS } from './text';

/** Parses a URL, which may be relative to `base`. `undefined` if it is invalid or too long. */
export function parseUrl(text: string, base?: URL): URL | undefined {
	if (text.length > MAX_URL_CHARACTERS) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Parses an http(s) URL. `undefined` for anything else. */
export const parseHttpUrl = (text: string): URL | undefined =>
	/^https?:\/\//i.test(text) ? parseUrl(text) : undefined;

/**
 * Names without a domain, and ranges that are not public: loopback, private, link-local, multicast
 * and reserved (RFC 1918, 4193, 4291, 6890), and IPv6 that stands for IPv4 (RFC 3056, 4291, 6052).
 */
const LOCAL_HOSTS = [
	/^(?:0|10|127|22[4-9]|2[34]\d|25[0-5])\.\d+\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
	/^\[(?:::|64:ff9b:|2002:|f[cdf][\da-f]{2}:|fe[89ab][\da-f]:)/i,
	/^[^.:[\]]*$/,
	/\.(?:local|localhost|internal|lan|home|home\.arpa|localdomain)$/i,
];

/** Whether a host can only be reached from the same machine or network. */
export function isLocalHost(hostname: string): boolean {
	const host = hostname.replace(/\.$/, '');
	return LOCAL_HOSTS.some((pattern) => pattern.test(host));
}

/** Why the service cannot open a URL of this n8n instance, if it cannot. Completes a sentence. */
export function whyUnreachable(ofN8n: string, serviceUrl: string): string | undefined {
	const url = parseHttpUrl(ofN8n);
	if (url === undefined) return "n8n's own URL is not set.";
	const serviceHost = parseUrl(serviceUrl)?.hostname ?? '';
	return isLocalHost(url.hostname) && !isLocalHost(serviceHost)
		? `n8n's own URL, ${url.origin}, can only be opened in its own network.`
		: undefined;
}
