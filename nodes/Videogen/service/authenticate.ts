import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { bare, withoutEdges } from '../shared/text';
import { parseHttpUrl, parseUrl } from '../shared/url';
import { LABELS } from '../shared/messages';

/** What documentation shows after the base URL, and people copy. Endpoint paths start with it. */
const END_OF_ENDPOINT = /\/v1(?:\/videos(?:\/generations)?|\/tasks)?$/;

/**
 * The credential's Base URL as requests use it: without surrounding blanks, a trailing slash or an
 * endpoint, but with its path prefix. `undefined` if it is not an http(s) URL, or contains a query,
 * a fragment or a login.
 */
export function cleanBaseUrl(text: unknown): string | undefined {
	const url = typeof text === 'string' ? parseHttpUrl(bare(text)) : undefined;
	if (url === undefined || url.search || url.hash || url.username || url.password) return undefined;
	return withoutEdges(`${url.origin}${url.pathname}`, /\//).replace(END_OF_ENDPOINT, '');
}

/** The API key as it is sent. People paste keys with blanks, line ends and the word Bearer. */
export const cleanApiKey = (text: unknown): string =>
	typeof text === 'string' ? bare(text).replace(/^bearer\s+/i, '') : '';

/** The part of a URL that comes after the base, joined to it the way axios does. */
const joined = (base: string, end: string): string =>
	end === '' ? base : `${base.replace(/\/$/, '')}/${end.replace(/^\/+/, '')}`;

/**
 * The full URL if the key may go there, or `undefined` if the request is for another origin. Other
 * nodes that borrow this credential pass it as `url`, as `uri` or as a relative path.
 */
function ownUrl(request: IHttpRequestOptions, base: string): string | undefined {
	const url = request.url || ('uri' in request ? String(request.uri) : '');
	const target = parseUrl(url) ?? parseUrl(joined(request.baseURL ?? '', url));
	return target?.origin === new URL(base).origin ? target.href : undefined;
}

/**
 * n8n sends the key along to wherever a redirect points: always in older versions, and otherwise
 * from older versions of its HTTP Request node. The names are those of n8n's newer and older
 * request options.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** What n8n calls its options for a proxy and for skipping certificate checks. */
const UNSAFE = ['proxy', 'skipSslCertificateValidation', 'allowUnauthorizedCerts'];

/** Whether a request uses a proxy of its own, or trusts anyone who claims to be the service. */
function isUnsafe(request: object): boolean {
	return Object.entries(request).some(([name, value]) =>
		name === 'rejectUnauthorized' ? value === false : UNSAFE.includes(name) && Boolean(value),
	);
}

/** Behind a proxy, this header decides who gets the request. */
const hasOtherHost = ({ headers = {} }: IHttpRequestOptions, url: string): boolean =>
	Object.entries(headers).some(
		([name, value]) =>
			name.trim().toLowerCase() === 'host' && String(value).toLowerCase() !== new URL(url).host,
	);

/** Clients combine the parts of a URL in different ways, so only the checked URL is sent. */
const NO_OTHER_TARGET = { baseURL: undefined, uri: undefined };

const refusal = (message: string) => new UserError(message, { level: 'warning' });

/**
 * Adds the bearer key to a request (docs/internals/service-contract.md, section 5), but only for
 * the service itself. Whichever node uses the credential, the key goes to no other host, and no one
 * in between can read it. A proxy that n8n itself is set to use does not count.
 * @throws UserError for another host, an unsafe request or a practice credential
 */
export function authenticate(
	{ apiKey, baseUrl, environment = 'live' }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	// Hidden fields may still contain a key.
	if (environment !== 'live') throw refusal('This credential is for practice: it sends nothing');
	const base = cleanBaseUrl(baseUrl);
	const url = base === undefined ? undefined : ownUrl(request, base);
	if (url === undefined || hasOtherHost(request, url)) {
		throw refusal(`This credential is only for URLs below its own '${LABELS.baseUrl}'`);
	}
	if (isUnsafe(request)) {
		throw refusal(
			"This credential refuses requests that set a proxy or skip certificate checks, because they could reveal its key. Remove 'Proxy' and 'Ignore SSL Issues' from the options of this node. The administrator of this n8n instance can set a proxy for all requests.",
		);
	}
	return {
		...request,
		...NO_REDIRECTS,
		...NO_OTHER_TARGET,
		url,
		headers: { ...request.headers, Authorization: `Bearer ${cleanApiKey(apiKey)}` },
	};
}
