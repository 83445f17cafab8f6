import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authenticate } from '../nodes/Videogen/service/authenticate';
import { DEFAULT_MODEL_FAMILY } from '../nodes/Videogen/service/contract/limits';

/** Bearer key and URL of the service (service-spec.md, section 5). */
export class VideogenApi implements ICredentialType {
	name = 'videogenApi';

	displayName = 'Videogen API';

	documentationUrl =
		'https://github.com/n8n-nodes-videogen-tasks/n8n-nodes-videogen-tasks#credentials';

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
			description: "The URL of the service, as the provider's documentation gives it",
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

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticate(credentials, requestOptions);
	}
}
