import type { IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { LABELS } from '../../nodes/Videogen/shared/messages';
import { DEFAULT_API_KEY, type Simulator, startSimulator } from '../../tools/simulator';
import { errorOf } from '../support/engine';
import { otherNode } from '../support/otherNodes';
import { useEngine } from '../support/useEngine';

/** Another node that sends a request with this package's credential. */
const borrower = (request: IHttpRequestOptions): INodeType =>
	otherNode(
		async function () {
			const { httpRequestWithAuthentication: send } = this.helpers;
			return [[{ json: { answer: await send.call(this, 'videogenApi', request) } }]];
		},
		{ credentials: [{ name: 'videogenApi', required: true }] },
	);

const { simulator, runNode } = useEngine();
const send = async (request: IHttpRequestOptions) =>
	await runNode({ parameters: {}, nodeType: borrower(request) });

let other: Simulator;
beforeAll(async () => {
	other = await startSimulator();
});
beforeEach(() => other.reset());
afterAll(async () => await other.close());

test.each(['', '\t', ' ', '\u0000'])(
	'with %j before the URL of the service, the key goes there and not to the base of another host',
	async (before) => {
		const { id } = simulator.addTask({});
		const url = `${before}${simulator.baseUrl}/v1/tasks/${id}`;
		const { status } = await send({ url, baseURL: other.baseUrl });
		expect(other.requests).toEqual([]);
		const [request] = simulator.reads(id);
		expect(request?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
		expect(status).toBe('success');
	},
);

test('the key does not go to another host by the base of the service', async () => {
	const url = `${other.baseUrl}/v1/tasks/task_1`;
	const result = await send({ url, baseURL: simulator.baseUrl });
	expect([...simulator.requests, ...other.requests]).toEqual([]);
	expect(errorOf(result).message).toContain(LABELS.baseUrl);
});
