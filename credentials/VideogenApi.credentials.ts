import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authenticate } from '../nodes/Videogen/service/authenticate';
import { LABELS } from '../nodes/Videogen/shared/messages';
import { DEFAULT_MODEL_FAMILY } from '../nodes/Videogen/service/contract/limits';

const LIVE_ONLY = { show: { environment: ['live'] } };

/**
 * Bearer key and base URL of the service (docs/internals/service-contract.md, section 5), or
 * practice mode, which needs neither.
 */
export class VideogenApi implements ICredentialType {
	name = 'videogenApi';

	displayName = 'Videogen Tasks API';

	documentationUrl =
		'https://github.com/n8n-nodes-videogen-tasks/n8n-nodes-videogen-tasks#credentials';

	icon: Icon = {
		light: 'file:../nodes/Videogen/videogen.svg',
		dark: 'file:../nodes/Videogen/videogen.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: LABELS.environment,
			name: 'environment',
			type: 'options',
			options: [
				{
					name: 'Live',
					value: 'live',
					description: 'Your provider generates videos, and charges for them',
				},
				{
					name: 'Practice',
					value: 'practice',
					description: 'Nothing is sent or charged, and no key is needed',
				},
			],
			default: 'live',
			hint: 'Practice needs no API key and costs nothing',
			description:
				'Practice is for building workflows. Each video is a short clip with the word PRACTICE, completed after a few seconds.',
		},
		{
			displayName:
				'Nothing leaves n8n with this credential. Name it Practice, at the top, so that you do not mix it up with a live one. To try out what happens without a video, write into a prompt: [refused] (the provider rejects the prompt) or [failed] (the video fails).',
			name: 'practiceNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { environment: ['practice'] } },
		},
		{
			displayName: LABELS.apiKey,
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			displayOptions: LIVE_ONLY,
			default: '',
			required: true,
			description: "The key from your provider's console",
		},
		{
			displayName: LABELS.baseUrl,
			name: 'baseUrl',
			type: 'string',
			displayOptions: LIVE_ONLY,
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: "The URL of the API, from your provider's documentation",
		},
		{
			displayName: LABELS.modelFamily,
			name: 'modelFamily',
			type: 'string',
			displayOptions: LIVE_ONLY,
			default: DEFAULT_MODEL_FAMILY,
			hint: 'How the names of the models begin, such as seedance-2.5 at EvoLink. Change it if your provider uses other names.',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticate(credentials, requestOptions);
	}
}
