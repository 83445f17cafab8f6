import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { withoutEdges } from '../shared/text';
import { parseHttpUrl, parseUrl } from '../shared/url';
import { isJsonObject } from '../shared/json';
import { LABELS } from '../shared/messages';

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

/** An API key as it is sent: keys are pasted with spaces, line ends and the word Bearer around. */
export const cleanApiKey = (text: unknown): string =>
	typeof text === 'string' ? text.trim().replace(/^bearer\s+/i, '') : '';

/** The URL of a request as axios makes it of its two parts. */
const joined = (base: string, end: string): string =>
	end === '' ? base : `${base.replace(/\/$/, '')}/${end.replace(/^\/+/, '')}`;

/** Other nodes that borrow this credential name the target `url`, `uri` or only its end. */
function targetOf(request: IHttpRequestOptions): URL | undefined {
	const url = request.url || ('uri' in request ? String(request.uri) : '');
	return parseUrl(url) ?? parseUrl(joined(request.baseURL ?? '', url));
}

/** The URL to which the key may go, whole; `undefined` when the request is for another host. */
function ownUrl(request: IHttpRequestOptions, base: string): string | undefined {
	// Spares the closer look at every request of the node itself.
	if (request.url?.startsWith(`${base}/`)) return request.url;
	const target = targetOf(request);
	return target?.origin === new URL(base).origin ? target.href : undefined;
}

/**
 * n8n takes the key along to wherever a redirect points: always in older versions, and in older
 * versions of its HTTP Request node. The names are those of n8n's newer and older request options.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** What n8n's options for a proxy and for leaving a certificate unchecked are called. */
const UNSAFE = ['proxy', 'skipSslCertificateValidation', 'allowUnauthorizedCerts'];

/** Whether a request goes through a proxy of its own, or to whoever says to be the service. */
function isUnsafe(request: object): boolean {
	const agentOptions: unknown = Reflect.get(request, 'agentOptions');
	const options = [request, agentOptions].filter(isJsonObject).flatMap(Object.entries);
	return options.some(([name, value]) =>
		name === 'rejectUnauthorized' ? value === false : UNSAFE.includes(name) && Boolean(value),
	);
}

/** What was checked is what is sent: clients put the parts of a URL together in different ways. */
const NO_OTHER_TARGET = { baseURL: undefined, uri: undefined };

const refusal = (message: string) => new UserError(message, { level: 'warning' });

/**
 * Adds the bearer key to a request (docs/service.md, section 5), and only for the service itself:
 * whatever node uses the credential, the key goes to no other host, and through nobody's hands. A proxy
 * that n8n itself is set to use is no matter of the request.
 * @throws UserError for a request to another host, for an unsafe one, or for practice
 */
export function authenticate(
	{ apiKey, baseUrl, environment = 'live' }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	// Fields that do not show may hold a key all the same.
	if (environment !== 'live') throw refusal('This credential is for practice: it sends nothing');
	const base = cleanBaseUrl(baseUrl);
	const url = base === undefined ? undefined : ownUrl(request, base);
	if (url === undefined) {
		throw refusal(`This credential is only for URLs below its own '${LABELS.baseUrl}'`);
	}
	if (isUnsafe(request)) {
		throw refusal(
			"This credential refuses requests that set a proxy or skip certificate checks, because they could reveal its key. Remove 'Proxy' and 'Ignore SSL Issues' from the options of this node. Whoever runs n8n can set a proxy for all requests.",
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
