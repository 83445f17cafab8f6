import type { IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { type Host, sendJson, startHost } from '../programs/realN8n/hosts';
import { DEFAULT_API_KEY } from '../programs/simulator';
import { Engine, errorOf } from '../programs/support/engine';

/** Another node that sends a request with this package's credential. */
const borrower = (request: IHttpRequestOptions): INodeType => ({
	description: {
		displayName: 'Borrower',
		name: 'borrower',
		group: ['transform'],
		version: 1,
		description: 'Sends one request',
		defaults: { name: 'Borrower' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'videogenApi', required: true }],
		properties: [],
	},
	async execute() {
		const { httpRequestWithAuthentication: send } = this.helpers;
		return [[{ json: { answer: await send.call(this, 'videogenApi', request) } }]];
	},
});

const heardBy: Record<'service' | 'other', string[]> = { service: [], other: [] };
let service: Host;
let other: Host;
let engine: Engine;

beforeAll(async () => {
	const hostOf = async (name: keyof typeof heardBy) =>
		await startHost(({ url, headers }, response) => {
			heardBy[name].push(`${url} ${headers.authorization}`);
			sendJson(response, 200, {});
		});
	service = await hostOf('service');
	other = await hostOf('other');
	engine = await Engine.start(service.baseUrl);
});
beforeEach(() => Object.values(heardBy).forEach((heard) => heard.splice(0)));
afterAll(async () => {
	await service.close();
	await other.close();
});

const run = async (request: IHttpRequestOptions) =>
	await engine.run({ parameters: {}, nodeType: borrower(request) });

test.each(['', '\t', ' ', '\u0000'])(
	'with %j before the URL of the service, the key goes there and not to the base of another host',
	async (before) => {
		const url = `${before}${service.baseUrl}/v1/tasks/1`;
		const { status } = await run({ url, baseURL: other.baseUrl });
		expect(heardBy.other).toEqual([]);
		expect(heardBy.service).toEqual([`/v1/tasks/1 Bearer ${DEFAULT_API_KEY}`]);
		expect(status).toBe('success');
	},
);

test('the key does not go to another host by the base of the service', async () => {
	const result = await run({ url: `${other.baseUrl}/v1/tasks/1`, baseURL: service.baseUrl });
	expect(heardBy).toEqual({ service: [], other: [] });
	expect(errorOf(result).message).toContain('only for requests to its own Base URL');
});
