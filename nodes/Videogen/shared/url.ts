import { MAX_URL_CHARACTERS } from './text';

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

/** Loopback, private and link-local ranges (RFC 1918, 4193, 4291, 6890), and names without a domain. */
const LOCAL_HOSTS = [
	/^(?:0|10|127)\.\d+\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
	/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i,
	/^[^.:[\]]*$/,
	/\.(?:local|localhost|internal|lan|home|home\.arpa|localdomain)$/i,
];

const IPV4_IN_IPV6 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/i;

/** Whether a URL's host can only be reached from the same machine or network. */
export function isLocalHost(hostname: string): boolean {
	const host = plainHost(hostname);
	return LOCAL_HOSTS.some((pattern) => pattern.test(host));
}

/** Without a final dot, and with an IPv4 address in its own form where it is written as IPv6. */
function plainHost(hostname: string): string {
	const [, ...halves] = IPV4_IN_IPV6.exec(hostname) ?? [];
	if (halves.length === 0) return hostname.replace(/\.$/, '');
	return halves
		.map((half) => Number.parseInt(half, 16))
		.flatMap((bits) => [bits >> 8, bits & 255])
		.join('.');
}

/** Why the service cannot open a URL of this n8n, as the end of a sentence; `undefined` if it can. */
export function whyUnreachable(ofN8n: string, serviceUrl: string): string | undefined {
	const url = parseHttpUrl(ofN8n);
	if (url === undefined) return "n8n's own URL is not set.";
	const serviceHost = parseUrl(serviceUrl)?.hostname ?? '';
	return isLocalHost(url.hostname) && !isLocalHost(serviceHost)
		? `n8n's own URL, ${url.origin}, can only be opened in its own network.`
		: undefined;
}
