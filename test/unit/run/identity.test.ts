import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Identity } from '../../../nodes/Videogen/run/identity';

const CONNECTION = {
	...{ apiKey: 'a key', baseUrl: 'https://service.test', isPractice: false },
	modelFamily: 'videogen-2.5',
};

interface Given {
	mode?: WorkflowExecuteMode;
	type?: string;
	nodeId?: string;
	workflowId?: string;
	instanceId?: string;
	executionId?: string;
	/** As for a client of n8n's MCP Server Trigger. */
	isInNoExecution?: boolean;
	parameters?: INodeParameters;
	connection?: Partial<typeof CONNECTION>;
}

function identityOf(given: Given = {}): Identity {
	const { mode = 'manual', type = 'videogen', parameters = {}, executionId = '1' } = given;
	const { nodeId = 'node', instanceId = 'instance' } = given;
	const workflowId = 'workflowId' in given ? given.workflowId : 'workflow';
	const context = {
		getNode: () => ({
			...{ id: nodeId, name: 'Make', type, typeVersion: 1, parameters: { ...parameters } },
			position: [0, 0] satisfies [number, number],
		}),
		getWorkflow: () => ({ id: workflowId, active: false }),
		getMode: () => mode,
		getExecutionId: () => (given.isInNoExecution ? JSON.parse('{}').id : executionId),
		getInstanceId: () => instanceId,
		continueOnFail: () => false,
	};
	return new Identity(context, { ...CONNECTION, ...given.connection });
}

const production: Given = { mode: 'trigger' };
const tool: Given = { type: 'videogenTool' };

const REQUEST = { model: 'model', prompt: 'A fox', duration: 5 };
type Planned = Parameters<Identity['keyAfter']>[0];
type More = Partial<Omit<Planned, 'settings'>> & { settings?: Partial<Planned['settings']> };

const planned = ({ settings, ...more }: More = {}): Planned => ({
	...{ request: REQUEST, files: [], ...more },
	settings: { orderKey: undefined, reuseInEditor: true, ...settings },
});
const withCallback = { ...REQUEST, callback_url: 'https://e.com/hook' };

/** How many different values there are. */
const countOf = (values: unknown[]): number => new Set(values).size;

describe('under what the orders of a node are remembered', () => {
	test('is one name in the editor, another for each node, workflow and account, none in production', () => {
		const inEditor = identityOf({ executionId: '2', instanceId: 'other' });
		expect(inEditor.memoryNode).toBe(identityOf().memoryNode);
		const others: Given[] = [
			...[{ nodeId: 'other' }, { workflowId: 'other' }, { connection: { apiKey: 'other' } }],
			{ connection: { baseUrl: 'https://other.test' } },
			{ connection: { isPractice: true } },
		];
		const names = [{}, ...others].map((given) => identityOf(given).memoryNode);
		expect(countOf(names)).toBe(6);
		expect(identityOf(production).memoryNode).toBeUndefined();
	});

	test('is one name for the calls of a tool in an execution', () => {
		const [first, second, other] = ['1', '1', '2'].map(
			(executionId) => identityOf({ ...tool, ...production, executionId }).memoryNode,
		);
		expect(first).toBeDefined();
		expect([second === first, other === first]).toEqual([true, false]);
		expect(identityOf({ ...tool, isInNoExecution: true }).memoryNode).toBeUndefined();
	});

	test('says nothing of the key', () =>
		expect(identityOf().memoryNode).not.toContain(CONNECTION.apiKey));

	test.each<[Given, boolean]>([
		[{}, true],
		[tool, false],
		[production, false],
		[{ mode: 'retry' }, false],
	])('is that of the editor for %j: %s', (given, isEditor) =>
		expect(identityOf(given).isEditor).toBe(isEditor),
	);
});

test('requests are equal as they would be sent to a service, their Callback URL aside', () => {
	const hashOf = (request: typeof REQUEST) => identityOf().hashOf(request);
	expect(hashOf(withCallback)).toBe(hashOf(REQUEST));
	expect(hashOf({ ...REQUEST, prompt: 'An owl' })).not.toBe(hashOf(REQUEST));
	const elsewhere = identityOf({ connection: { baseUrl: 'https://other.test' } });
	expect(elsewhere.hashOf(REQUEST)).not.toBe(hashOf(REQUEST));
});

describe('the source of a request', () => {
	const item: INodeExecutionData = { json: { row: 1 } };
	const sourceOf = (parameters: INodeParameters, input = item, request = REQUEST) =>
		identityOf({ parameters }).itemHashOf(request, input);
	const fields = { prompt: '={{ $now }}', duration: 5, options: { contentFilter: false } };
	const source = sourceOf(fields);

	test('is the same for whatever an expression gives, and however the node waits', () => {
		const { options, ...others } = fields;
		const same: INodeParameters[] = [
			{ options, ...others },
			...['waitForCompletion', 'downloadResults', 'simplify'].map((name) => ({
				...fields,
				[name]: false,
			})),
			...[
				...['timeoutMinutes', 'onTimeout', 'onFailure', 'pollIntervalSeconds', 'streamProgress'],
				...['binaryPropertyOutput', 'maxConcurrentTasks', 'maxNewTasks', 'callbackUrl'],
				...['resendAfterNoReply', 'reuseInEditor'],
			].map((name) => ({ ...fields, options: { ...options, [name]: 1 } })),
		];
		expect(countOf(same.map((parameters) => sourceOf(parameters)))).toBe(1);
		expect(sourceOf(fields)).toBe(source);
		expect(sourceOf(fields, item, { ...REQUEST, prompt: 'Noon' })).toBe(source);
	});

	test('is another for another field, item, file, model or service', () => {
		const id = 'filesystem-v2:workflows/1/executions/temp/binary_data/def';
		const others = [
			sourceOf({ ...fields, prompt: '={{ $json.prompt }}' }),
			sourceOf({ ...fields, options: { contentFilter: true } }),
			sourceOf(fields, { json: { row: 2 } }),
			sourceOf(fields, { ...item, binary: { data: { id, data: 'x', mimeType: 'image/png' } } }),
			sourceOf(fields, { ...item, binary: { data: { data: 'abc', mimeType: 'image/png' } } }),
			sourceOf(fields, { ...item, binary: { other: { data: 'abc', mimeType: 'image/png' } } }),
			sourceOf(fields, { ...item, binary: { data: { data: 'abd', mimeType: 'image/png' } } }),
			sourceOf(fields, item, { ...REQUEST, model: 'other' }),
			identityOf({ parameters: fields, connection: { baseUrl: 'https://other.test' } }).itemHashOf(
				REQUEST,
				item,
			),
		];
		expect(countOf([source, ...others])).toBe(10);
	});

	test('is the same where n8n has moved a file', () => {
		const withFile = (place: string) =>
			sourceOf(fields, {
				...item,
				binary: { data: { id: `${place}/abc`, data: 'filesystem-v2', mimeType: 'image/png' } },
			});
		expect(withFile('filesystem-v2:workflows/1/executions/temp')).toBe(
			withFile('filesystem-v2:workflows/1/executions/7'),
		);
	});

	test('is none for a tool, nor for what cannot be saved', () => {
		expect(identityOf(tool).itemHashOf(REQUEST, item)).toBeUndefined();
		const round: IDataObject = {};
		round.self = round;
		expect(sourceOf(fields, { json: round })).toBeUndefined();
	});
});

describe('what a request is in the editor', () => {
	const { signal } = new AbortController();
	const contentOf = async (plan: Planned, given: Given = {}) =>
		await identityOf(given).contentOf(plan, signal);
	const file = (reference: string, content: string | undefined) => ({
		reference,
		contentHash: async () => content,
	});
	const withFile = (reference: string, content: string | undefined) =>
		planned({
			request: { ...REQUEST, image_urls: [reference] },
			files: [file(reference, content)],
		});

	test('goes by its fields, and by the content of its files', async () => {
		expect(await contentOf(planned())).toBe(await contentOf(planned()));
		expect(await contentOf(withFile('a', 'same'))).toBe(await contentOf(withFile('b', 'same')));
		const all = [
			...[planned(), planned({ request: { ...REQUEST, duration: 6 } })],
			...[withFile('a', 'one'), withFile('a', 'other')],
			planned({ request: { ...REQUEST, image_urls: ['https://e.com/a.png'] } }),
		];
		expect(countOf(await Promise.all(all.map(async (plan) => await contentOf(plan))))).toBe(5);
	});

	test.each<[string, Planned, Given]>([
		['a Callback URL', planned({ request: withCallback }), {}],
		['a file that is too large', withFile('a', undefined), {}],
		['production', planned(), production],
	])('is ordered each time with %s', async (_what, plan, given) =>
		expect(await contentOf(plan, given)).toBeUndefined(),
	);

	test('is for the calls of a tool the request, its Callback URL aside', async () => {
		const content = await contentOf(planned({ request: withCallback }), tool);
		expect(content).toBe(identityOf(tool).hashOf(REQUEST));
	});
});

describe('the key of an order', () => {
	const keyOf = (given: Given = {}, more: More = {}, before = 0) =>
		identityOf(given).keyAfter(planned(more))?.(before);

	test('is derived in the editor, from all that tells the order from others', () => {
		expect(keyOf({ executionId: '2', parameters: { prompt: 'x' } })).toBe(keyOf());
		const others: Given[] = [
			...[{ nodeId: 'other' }, { workflowId: 'other' }, { instanceId: 'other' }],
			...[{ connection: { apiKey: 'other' } }, { connection: { isPractice: true } }],
			{ connection: { baseUrl: 'https://other.test' } },
		];
		const keys = [{}, ...others].map((given) => keyOf(given));
		const more = [keyOf({}, { request: { ...REQUEST, duration: 6 } }), keyOf({}, {}, 1)];
		expect(countOf([...keys, ...more])).toBe(9);
	});

	const file = { reference: 'a', contentHash: async () => 'a' };
	test.each<[string, Given, More]>([
		['in production', production, {}],
		['for a tool', tool, {}],
		['with the option off', {}, { settings: { reuseInEditor: false } }],
		['with files', {}, { files: [file] }],
		['with a Callback URL', {}, { request: withCallback }],
	])('is random %s, unless the person gives an Order Key', (_what, given, more) => {
		expect(keyOf(given, more)).toBeUndefined();
		const settings = { orderKey: 'row-7', reuseInEditor: false };
		const own = keyOf(given, { ...more, settings });
		expect(own).toBe(keyOf({ connection: { apiKey: 'x' } }, { settings }, 3));
	});

	test('goes by the Order Key, and by the node alone', () => {
		const settings = { orderKey: 'row-7', reuseInEditor: true };
		const own = (given: Given = {}, orderKey = 'row-7') =>
			keyOf(given, { settings: { ...settings, orderKey } });
		const others: Given[] = [{ nodeId: 'other' }, { workflowId: 'other' }, { instanceId: 'other' }];
		expect(countOf([own(), own({}, 'row-8'), ...others.map((given) => own(given)), keyOf()])).toBe(
			6,
		);
	});

	test('is random where n8n gives no workflow id', () => {
		const settings = { orderKey: 'row-7', reuseInEditor: true };
		expect(keyOf({ workflowId: undefined })).toBeUndefined();
		expect(keyOf({ workflowId: undefined }, { settings })).toBeUndefined();
	});
});
