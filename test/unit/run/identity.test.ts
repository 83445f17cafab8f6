import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Identity } from '../../../nodes/Videogen/run/identity';

/** What n8n and the credential say. */
const GIVEN = {
	...{ nodeId: 'node', type: 'videogen', workflowId: 'workflow', instanceId: 'instance' },
	...{ executionId: '7', mode: 'trigger', run: 0, apiKey: 'a key', isPractice: false },
	...{ baseUrl: 'https://service.test', modelFamily: 'videogen-2.5', parameters: {} },
};
type Given = Partial<typeof GIVEN> & { executionId?: string | undefined };

function identityOf(its: Given = {}): Identity {
	const given = { ...GIVEN, ...its };
	const context: IExecuteFunctions = Object.assign(Object.create(null), {
		getNode: () => ({ id: given.nodeId, type: given.type, parameters: given.parameters }),
		getWorkflow: () => ({ id: given.workflowId }),
		getInstanceId: () => given.instanceId,
		getExecutionId: () => given.executionId,
		getMode: () => given.mode,
		getWorkflowDataProxy: () => ({ $runIndex: given.run }),
		continueOnFail: () => false,
	});
	return new Identity(context, given);
}

const SETTINGS = {
	...{ idempotencyKey: '', reuseInEditor: true, resendAfterNoReply: false },
	...{ maxConcurrentTasks: 20, maxNewTasks: 10 },
};

interface Asked {
	request?: object;
	settings?: Partial<typeof SETTINGS>;
	json?: IDataObject;
}

const wishOf = (its: Given = {}, { request, settings, json = { row: 1 } }: Asked = {}) => {
	const asked = { model: 'm', prompt: 'A fox', duration: 5, ...request };
	const plan = { request: asked, files: [], settings: { ...SETTINGS, ...settings } };
	return identityOf(its).wishOf(plan, json);
};

const expectAllDifferent = (values: unknown[]) => expect([...new Set(values)]).toEqual(values);
const SERVICES: Given[] = [{ baseUrl: 'https://x.test' }, { isPractice: true }];
const NODES: Given[] = [{ nodeId: 'x' }, { workflowId: 'x' }];

test('says whose orders these are, and shows no key', () => {
	expect(identityOf({ mode: 'manual', run: 3 }).scope).toMatchObject({
		...{ executionId: '7', run: 3, isTool: false, isManual: true },
	});
	expect(identityOf({ type: 'videogenTool', executionId: undefined }).scope).toMatchObject({
		...{ executionId: '', isTool: true, isManual: false },
	});
	const nodeOf = (its: Given) => identityOf(its).scope.node;
	expect(nodeOf({ executionId: '8', instanceId: 'x', parameters: { x: 1 } })).toBe(nodeOf({}));
	expectAllDifferent([{}, { apiKey: 'x' }, ...SERVICES, ...NODES].map(nodeOf));
	expect(nodeOf({})).not.toContain(GIVEN.apiKey);
});

test('requests are equal by what is sent, the service and the text, their Callback URL aside', () => {
	const request = { callback_url: 'https://e.com' };
	const settings = { reuseInEditor: false, resendAfterNoReply: true };
	const same = wishOf({ executionId: '8', apiKey: 'x' }, { request, settings, json: {} });
	expect(same.requestHash).toBe(wishOf().requestHash);
	expect(same).toMatchObject({ request, mayReuse: false, mayResend: true });
	const others = [
		...[wishOf(), ...SERVICES.map((its) => wishOf(its)), wishOf({}, { request: { duration: 6 } })],
		wishOf({}, { settings: { idempotencyKey: 'row 7' } }),
	];
	expectAllDifferent(others.map(({ requestHash }) => requestHash));
});

describe('the fields of a request', () => {
	const saved = { prompt: '={{ $now }}', options: { contentFilter: false } };
	const hashesOf = (parameters: object, its: Given = {}, json?: IDataObject) => {
		const wish = wishOf({ parameters, ...its }, { request: { prompt: 'Noon' }, json });
		return [wish.parametersHash, wish.fieldsHash];
	};
	const RUN = ['waitForCompletion', 'downloadResults', 'simplify'];
	const OPTIONS = [
		...['timeoutMinutes', 'pollIntervalSeconds', 'binaryPropertyOutput', 'maxConcurrentTasks'],
		...['maxNewTasks', 'callbackUrl', 'idempotencyKey', 'resendAfterNoReply', 'reuseInEditor'],
	];

	test.each([
		...RUN.map((name) => ({ ...saved, [name]: false })),
		...OPTIONS.map((name) => ({ ...saved, options: { [name]: 1, ...saved.options } })),
		{ options: saved.options, prompt: saved.prompt },
	])('are the same with other settings of the run: %j', (parameters) =>
		expect(hashesOf(parameters)).toEqual(hashesOf(saved)),
	);

	test('are the same where Options get their first setting of the run', () => {
		const { prompt } = saved;
		expect(hashesOf({ prompt, options: { timeoutMinutes: 90 } })).toEqual(hashesOf({ prompt }));
	});

	test('are others with another field, item or service', () => {
		const { options } = saved;
		// Only at the top and in Options do these names belong to the run.
		const images = [1, 2].map((callbackUrl) => ({ image: { callbackUrl } }));
		const others = [
			...[saved, { ...saved, prompt: 'x' }, { ...saved, options: {} }],
			...[{ options }, { options, prompt: '' }, ...images],
		];
		const hashes = [
			...others.map((parameters) => hashesOf(parameters)),
			...SERVICES.map((its) => hashesOf(saved, its)),
		];
		expectAllDifferent(hashes.map(([ofParameters]) => ofParameters));
		const [ofNode, ofItem] = hashesOf(saved, {}, { row: 2 });
		expect(ofNode).toBe(hashes[0]?.[0]);
		expectAllDifferent([ofItem, ...hashes.map(([, ofFields]) => ofFields)]);
	});

	test('are never the same where the item cannot be saved', () => {
		const json: IDataObject = {};
		json.self = json;
		expect(hashesOf(saved, {}, json)[1]).not.toBe(hashesOf(saved, {}, json)[1]);
	});
});

test('what is sent is the request that was saved', async () => {
	const { request, toSend } = wishOf();
	const saved = { ...request, prompt: 'Saved' };
	expect(await toSend(saved)).toEqual(saved);
});

test('a key is a UUID: random, or of the text, the node and how many have ended', () => {
	const keyOf = (its: Given = {}, idempotencyKey = 'row 7', count = 0, request = {}) =>
		wishOf(its, { request, settings: { idempotencyKey } }).keyFor(count);
	const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
	for (const key of [keyOf(), keyOf({}, '')]) expect(key).toMatch(UUID);
	expect(keyOf({ executionId: '8', mode: 'manual' }, 'row 7', 0, { duration: 6 })).toBe(keyOf());
	const nodes = [...NODES, { instanceId: 'x' }].map((its) => keyOf(its));
	const random = [keyOf({}, ''), keyOf({}, '')];
	expectAllDifferent([keyOf(), keyOf({}, 'row 8'), keyOf({}, 'row 7', 1), ...nodes, ...random]);
	// Calls of an agent have one text.
	const tool = { type: 'videogenTool' };
	expect(keyOf(tool)).toBe(keyOf(tool));
	expectAllDifferent([keyOf(tool), keyOf(tool, 'row 7', 0, { duration: 6 })]);
});
