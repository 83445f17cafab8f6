import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { ApplicationError } from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from '../nodes/Videogen/client/baseUrl';
import { parseUrl } from '../nodes/Videogen/common/url';
import { DEFAULT_MODEL_FAMILY } from '../nodes/Videogen/contract/limits';

/** Other nodes that borrow this credential name the target `url`, `uri` or only its end. */
function targetOf(request: IHttpRequestOptions): URL | undefined {
	const address = request.url || ('uri' in request ? String(request.uri) : '');
	return parseUrl(address) ?? parseUrl(`${request.baseURL ?? ''}${address}`);
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

/** Bearer key and address of the service (service-spec.md, section 5). */
export class VideogenApi implements ICredentialType {
	name = 'videogenApi';

	displayName = 'Videogen API';

	documentationUrl = 'https://github.com/n8n-nodes-videogen/n8n-nodes-videogen#credentials';

	icon: Icon = {
		light: 'file:../nodes/Videogen/videogen.svg',
		dark: 'file:../nodes/Videogen/videogen.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "The key from the provider's console. Spaces around it do no harm.",
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: "The address of the service, as the provider's documentation gives it",
		},
		{
			displayName: 'Model Family',
			name: 'modelFamily',
			type: 'string',
			default: DEFAULT_MODEL_FAMILY,
			description:
				'What the names of the models start with. Change it only if your provider offers the same service under another name.',
		},
	];

	/**
	 * Adds the key, and only for the service itself: whatever node uses this credential, the key
	 * goes to no other host.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const baseUrl = cleanBaseUrl(credentials.baseUrl);
		if (baseUrl === undefined || targetOf(requestOptions)?.origin !== new URL(baseUrl).origin) {
			throw new ApplicationError(
				'This Videogen credential is only for requests to its own Base URL',
				{ level: 'warning' },
			);
		}
		return {
			...requestOptions,
			...NO_REDIRECTS,
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${cleanApiKey(credentials.apiKey)}`,
			},
		};
	}
}
