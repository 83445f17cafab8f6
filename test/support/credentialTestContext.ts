import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';

/** What the node uses of n8n when a credential is tested: this helper for requests. */
export const credentialTestContext = (
	request: ICredentialTestFunctions['helpers']['request'],
): ICredentialTestFunctions => Object.assign(Object.create(null), { helpers: { request } });

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
	const result = await testVideogenCredential.call(n8n, {
		id: '1',
		name: 'Videogen',
		type: 'videogenApi',
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
