import {
	ApplicationError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import { parseUrl } from '../common/url';
import { cleanApiKey, cleanBaseUrl } from './baseUrl';

/** Other nodes that borrow this credential name the target `url`, `uri` or only its end. */
function targetOf(request: IHttpRequestOptions): URL | undefined {
	const url = request.url || ('uri' in request ? String(request.uri) : '');
	return parseUrl(url) ?? parseUrl(`${request.baseURL ?? ''}${url}`);
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

/**
 * Adds the bearer key to a request (service-spec.md, section 5), and only for the service itself:
 * whatever node uses the credential, the key goes to no other host.
 * @throws ApplicationError for a request to another host
 */
export function authenticate(
	{ apiKey, baseUrl }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const base = cleanBaseUrl(baseUrl);
	const isOwn =
		base !== undefined &&
		// Spares the closer look at every request of the node itself.
		(request.url?.startsWith(`${base}/`) || targetOf(request)?.origin === new URL(base).origin);
	if (!isOwn) {
		throw new ApplicationError(
			'This Videogen credential is only for requests to its own Base URL',
			{ level: 'warning' },
		);
	}
	return {
		...request,
		...NO_REDIRECTS,
		headers: { ...request.headers, Authorization: `Bearer ${cleanApiKey(apiKey)}` },
	};
}
