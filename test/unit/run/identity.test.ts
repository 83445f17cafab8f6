import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Identity } from '../../../nodes/Videogen/run/identity';

const CONNECTION = {
	...{ apiKey: 'a key', baseUrl: 'https://service.test', isPractice: false },
	modelFamily: 'videogen-2.5',
};
type Connection = typeof CONNECTION;

/** What n8n says of the node. */
const N8N = {
	...{ nodeId: 'node', type: 'videogen', workflowId: 'workflow', instanceId: 'instance' },
	...{ executionId: '7', mode: 'trigger', run: 0, parameters: {} },
};
type N8n = typeof N8N;

function identityOf(its: Partial<N8n> = {}, connection: Partial<Connection> = {}): Identity {
	const n8n = { ...N8N, ...its };
	const context: IExecuteFunctions = Object.assign(Object.create(null), {
		getNode: () => ({ id: n8n.nodeId, type: n8n.type, parameters: n8n.parameters }),
		getWorkflow: () => ({ id: n8n.workflowId }),
		getInstanceId: () => n8n.instanceId,
		getExecutionId: () => n8n.executionId,
		getMode: () => n8n.mode,
		getWorkflowDataProxy: () => ({ $runIndex: n8n.run }),
		continueOnFail: () => false,
	});
	return new Identity(context, { ...CONNECTION, ...connection });
}

const REQUEST = { model: 'm', prompt: 'A fox', duration: 5 };
const SETTINGS = {
	...{ idempotencyKey: '', reuseInEditor: true, resendAfterNoReply: false },
	...{ maxConcurrentTasks: 20, maxNewTasks: 10 },
};

const wishOf = (
	identity = identityOf(),
	request: object = {},
	settings = {},
	json: IDataObject = { row: 1 },
) =>
	identity.wishOf(
		{ request: { ...REQUEST, ...request }, files: [], settings: { ...SETTINGS, ...settings } },
		json,
	);

/** How many of these differ. */
const countOf = (values: unknown[]): number => new Set(values).size;

const OTHERS: Array<Partial<N8n>> = [{ nodeId: 'x' }, { workflowId: 'x' }, { instanceId: 'x' }];
const SERVICES: Array<Partial<Connection>> = [{ baseUrl: 'https://x.test' }, { isPractice: true }];

test('says whose orders these are', () => {
	expect(identityOf({ mode: 'manual', run: 3 }).scope).toMatchObject({
		...{ executionId: '7', run: 3, isTool: false, isManual: true },
	});
	const ofClient = JSON.parse('{}').executionId;
	expect(identityOf({ type: 'videogenTool', executionId: ofClient }).scope).toMatchObject({
		...{ executionId: '', isTool: true, isManual: false },
	});
});

test('knows a node by its workflow and account, and shows no key', () => {
	const node = (...its: Parameters<typeof identityOf>) => identityOf(...its).scope.node;
	expect(node({ executionId: '8', instanceId: 'x', parameters: { prompt: 'x' } })).toBe(node());
	const accounts = [...SERVICES, { apiKey: 'x' }].map((connection) => node({}, connection));
	const nodes = OTHERS.slice(0, 2).map((its) => node(its));
	expect(countOf([node(), ...accounts, ...nodes])).toBe(6);
	expect(node()).not.toContain(CONNECTION.apiKey);
});

test('requests are equal by what is sent, the service and the text, their Callback URL aside', () => {
	const { requestHash } = wishOf();
	const same = wishOf(
		identityOf({ executionId: '8' }, { apiKey: 'x' }),
		{ callback_url: 'https://e.com' },
		{ reuseInEditor: false },
		{},
	);
	expect(same.requestHash).toBe(requestHash);
	expect(same.request).toHaveProperty('callback_url');
	const others = [
		...SERVICES.map((connection) => wishOf(identityOf({}, connection))),
		...[
			wishOf(identityOf(), { duration: 6 }),
			wishOf(identityOf(), {}, { idempotencyKey: 'row 7' }),
		],
	];
	expect(countOf([requestHash, ...others.map((wish) => wish.requestHash)])).toBe(5);
});

describe('the fields of a request', () => {
	const saved = { prompt: '={{ $now }}', options: { contentFilter: false } };
	const hashesOf = (parameters: object, json?: IDataObject) => {
		const { parametersHash, fieldsHash } = wishOf(
			identityOf({ parameters }),
			{ prompt: 'Noon' },
			{},
			json,
		);
		return [parametersHash, fieldsHash];
	};
	const hashes = hashesOf(saved);

	test.each([
		...['waitForCompletion', 'downloadResults', 'simplify'].map((name) => ({
			...saved,
			[name]: false,
		})),
		...[
			...['timeoutMinutes', 'pollIntervalSeconds', 'binaryPropertyOutput', 'maxConcurrentTasks'],
			...['maxNewTasks', 'callbackUrl', 'idempotencyKey', 'resendAfterNoReply', 'reuseInEditor'],
		].map((name) => ({ ...saved, options: { [name]: 1, ...saved.options } })),
		{ options: saved.options, prompt: saved.prompt },
	])('are the same with other settings of the run: %j', (parameters) =>
		expect(hashesOf(parameters)).toEqual(hashes),
	);

	test('are others with another field, item or service', () => {
		const others = [
			...[
				{ ...saved, prompt: 'x' },
				{ ...saved, options: {} },
			].map((parameters) => hashesOf(parameters)),
			...SERVICES.map((connection) => {
				const wish = wishOf(identityOf({ parameters: saved }, connection));
				return [wish.parametersHash, wish.fieldsHash];
			}),
		];
		for (const nth of [0, 1]) expect(countOf([hashes, ...others].map((one) => one[nth]))).toBe(5);
		const [parametersHash, fieldsHash] = hashesOf(saved, { row: 2 });
		expect([parametersHash === hashes[0], fieldsHash === hashes[1]]).toEqual([true, false]);
	});

	test.failing('are the same where Options get their first setting of the run', () =>
		expect(hashesOf({ prompt: 'x', options: { timeoutMinutes: 90 } })).toEqual(
			hashesOf({ prompt: 'x' }),
		),
	);

	test('are never the same where the item cannot be saved', () => {
		const json: IDataObject = {};
		json.self = json;
		expect(hashesOf(saved, json)[1]).not.toBe(hashesOf(saved, json)[1]);
	});
});

describe('a key', () => {
	const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
	const keyOf = (its: Partial<N8n> = {}, idempotencyKey = 'row 7', count = 0, request = {}) =>
		wishOf(identityOf(its), request, { idempotencyKey }).keyFor(count);

	test('is random without a text', () => {
		expect(keyOf({}, '')).toMatch(UUID);
		expect(keyOf({}, '')).not.toBe(keyOf({}, ''));
	});

	test('follows from the text, the node and how many have ended, the same in every execution', () => {
		expect(keyOf()).toMatch(UUID);
		expect(keyOf({ executionId: '8', mode: 'manual' }, 'row 7', 0, { duration: 6 })).toBe(keyOf());
		const others = [keyOf({}, 'row 8'), keyOf({}, 'row 7', 1), ...OTHERS.map((its) => keyOf(its))];
		expect(countOf([keyOf(), ...others])).toBe(6);
	});

	test('follows from the request, too, for a tool', () => {
		const tool = { type: 'videogenTool' };
		expect(countOf([keyOf(tool), keyOf(tool), keyOf(tool, 'row 7', 0, { duration: 6 })])).toBe(2);
	});
});

test('settings of reusing and resending are those of the item', () => {
	const settings = { reuseInEditor: false, resendAfterNoReply: true };
	expect(wishOf(identityOf(), {}, settings)).toMatchObject({ mayReuse: false, mayResend: true });
});
