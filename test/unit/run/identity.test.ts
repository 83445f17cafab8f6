import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { askedBy, fieldsHashOf, identityOf, scopeOf } from '../../../nodes/Videogen/run/identity';
import type { Service } from '../../../nodes/Videogen/service/types';

const service: Service = Object.create(null);

/** What n8n and the credential say. */
const GIVEN = {
	nodeId: 'node',
	type: 'videogen',
	workflowId: 'workflow',
	instanceId: 'instance',
	executionId: '7',
	mode: 'trigger',
	run: 0,
	apiKey: 'a key',
	isPractice: false,
	baseUrl: 'https://service.test',
	modelFamily: 'videogen-2.5',
	parameters: {},
	service,
};
type Given = Partial<typeof GIVEN> & { executionId?: string | undefined };

function scopeWith(its: Given = {}) {
	const given = { ...GIVEN, ...its };
	const context: IExecuteFunctions = Object.assign(Object.create(null), {
		getNode: () => ({ id: given.nodeId, type: given.type }),
		getWorkflow: () => ({ id: given.workflowId }),
		getInstanceId: () => given.instanceId,
		getExecutionId: () => given.executionId,
		getMode: () => given.mode,
		getWorkflowDataProxy: () => ({ $runIndex: given.run }),
		continueOnFail: () => false,
	});
	return scopeOf(context, given);
}

const SETTINGS = {
	idempotencyKey: '',
	reuseInEditor: true,
	resendAfterNoReply: false,
	maxConcurrentTasks: 20,
	maxNewTasks: 10,
};

interface Values {
	request?: object;
	settings?: Partial<typeof SETTINGS>;
	json?: IDataObject;
}

const askedWith = (its: Given = {}, { request, settings, json = { row: 1 } }: Values = {}) => {
	const given = { ...GIVEN, ...its };
	const values = {
		request: { model: 'm', prompt: 'A fox', duration: 5, ...request },
		files: [],
		settings: { ...SETTINGS, ...settings },
	};
	const identity = identityOf(given.parameters, given);
	return askedBy(identity, values, fieldsHashOf(identity.parametersHash, json));
};

const expectAllDifferent = (values: unknown[]) => expect([...new Set(values)]).toEqual(values);
const SERVICES: Given[] = [{ baseUrl: 'https://x.test' }, { isPractice: true }];
const NODES: Given[] = [{ nodeId: 'x' }, { workflowId: 'x' }];

test('says whose orders these are, and shows no key', () => {
	expect(scopeWith({ mode: 'manual', run: 3 })).toMatchObject({
		...{ executionId: '7', run: 3, isTool: false, isManual: true },
		keyParts: ['instance', 'workflow', 'node'],
	});
	expect(scopeWith({ type: 'videogenTool', executionId: undefined })).toMatchObject({
		...{ executionId: '', isTool: true, isManual: false },
	});
	const nodeOf = (its: Given) => scopeWith(its).node;
	expect(nodeOf({ executionId: '8', instanceId: 'x', parameters: { x: 1 } })).toBe(nodeOf({}));
	expectAllDifferent([{}, { apiKey: 'x' }, ...SERVICES, ...NODES].map(nodeOf));
	expect(nodeOf({})).not.toContain(GIVEN.apiKey);
});

test('requests are equal by what is sent, the service and the text, their Callback URL aside', () => {
	const request = { callback_url: 'https://e.com' };
	const settings = { reuseInEditor: false, resendAfterNoReply: true };
	const same = askedWith({ executionId: '8', apiKey: 'x' }, { request, settings, json: {} });
	expect(same.requestHash).toBe(askedWith().requestHash);
	expect(same).toMatchObject({ request });
	const others = [
		...[
			askedWith(),
			...SERVICES.map((its) => askedWith(its)),
			askedWith({}, { request: { duration: 6 } }),
		],
		askedWith({}, { settings: { idempotencyKey: 'row 7' } }),
	];
	expectAllDifferent(others.map(({ requestHash }) => requestHash));
});

describe('the fields of a request', () => {
	const saved = { prompt: '={{ $now }}', options: { contentFilter: false } };
	const hashesOf = (parameters: object, its: Given = {}, json?: IDataObject) => {
		const asked = askedWith({ parameters, ...its }, { request: { prompt: 'Noon' }, json });
		return [asked.parametersHash, asked.fieldsHash];
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
