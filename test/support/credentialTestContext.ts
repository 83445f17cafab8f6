import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';

/** n8n as it is there when a credential is tested, with this helper for requests. */
export function credentialTestContext(
	request: ICredentialTestFunctions['helpers']['request'],
): ICredentialTestFunctions {
	const unused = () => undefined;
	return {
		logger: { error: unused, warn: unused, info: unused, debug: unused },
		helpers: {
			request,
			getSSHClient: async () => await Promise.reject(new Error('Not part of these tests')),
			updateLastUsed: unused,
		},
	};
}

export const BASE = 'https://api.example.com/video';
export const KEY = 'key-1234567890';

const requestOptions = z.object({
	// Nothing else may go to the path that creates.
	method: z.literal('GET'),
	uri: z.string(),
	headers: z.record(z.string()),
	timeout: z.number(),
	resolveWithFullResponse: z.literal(true),
	simple: z.literal(false),
	useStream: z.literal(true),
	followRedirect: z.literal(false),
});

export interface TestAnswer {
	statusCode: number;
	headers?: Record<string, string>;
	body: string;
}

export const jsonAnswer = (statusCode: number, body: unknown): TestAnswer => ({
	statusCode,
	body: JSON.stringify(body),
});

/** What the test of a credential says where paths are answered so, and what it has asked for. */
export async function testing(
	answer: (path: string) => TestAnswer,
	data: ICredentialDataDecryptedObject = {},
): Promise<INodeCredentialTestResult & { asked: Array<z.infer<typeof requestOptions>> }> {
	const asked: Array<z.infer<typeof requestOptions>> = [];
	const n8n = credentialTestContext(async (given) => {
		const request = requestOptions.parse(given);
		asked.push(request);
		return await Promise.resolve({ headers: {}, ...answer(new URL(request.uri).pathname) });
	});
	const credential = { id: '1', name: 'Videogen', type: 'videogenApi' };
	const result = await testVideogenCredential.call(n8n, {
		...credential,
		data: { apiKey: KEY, baseUrl: BASE, modelFamily: 'videogen-2.5', ...data },
	});
	return { ...result, asked };
}

/** What is refused without a request. */
export const UNUSABLE: ICredentialDataDecryptedObject[] = [
	{ environment: 'Practice' },
	{ apiKey: ' ' },
	...['', 'https://', 'https://me:secret@e.com', 'sk-secret', 'api.example.com'].map((baseUrl) => ({
		baseUrl,
	})),
];
