import type { IDataObject } from 'n8n-workflow';
import { createSettingsFrom } from '../../../nodes/Videogen/fields/options';
import { askedBy, fieldsHashOf, identityOf, scopeOf } from '../../../nodes/Videogen/run/identity';
import type { Service } from '../../../nodes/Videogen/service/types';

const service: Service = Object.create(null);
const CONNECTION = {
	apiKey: 'a key',
	isPractice: false,
	baseUrl: 'https://service.test',
	modelFamily: 'videogen-2.5',
	service,
};
type Connection = Partial<typeof CONNECTION>;
const SERVICES: Connection[] = [{ baseUrl: 'https://x.test' }, { isPractice: true }];

const expectAllDifferent = (values: unknown[]) => expect([...new Set(values)]).toEqual(values);

test('says whose orders these are, and shows no key', () => {
	const scopeWith = (more: object = {}, connection: Connection = {}) => {
		const context = {
			getNode: () => ({ id: 'node', type: 'videogen' }),
			getWorkflow: () => ({ id: 'workflow' }),
			getInstanceId: () => 'instance',
			getExecutionId: () => '7',
			getMode: () => 'manual',
			getWorkflowDataProxy: () => ({ $runIndex: 3 }),
			...more,
		};
		const ofN8n = Object.assign(Object.create(null), context);
		return scopeOf(ofN8n, { ...CONNECTION, ...connection });
	};
	const { node, ...scope } = scopeWith();
	const keyParts = ['instance', 'workflow', 'node'];
	expect(scope).toEqual({ executionId: '7', run: 3, isTool: false, isManual: true, keyParts });
	const ofTool = { getNode: () => ({ id: 'node', type: 'videogenTool' }) };
	const ofMcpClient = { ...ofTool, getExecutionId: () => undefined, getMode: () => 'trigger' };
	expect(scopeWith(ofMcpClient)).toMatchObject({ executionId: '', isTool: true, isManual: false });
	expect(scopeWith({ getExecutionId: () => '8', getInstanceId: () => 'x' }).node).toBe(node);
	const others = [
		scopeWith({ getNode: () => ({ id: 'x', type: 'videogen' }) }),
		scopeWith({ getWorkflow: () => ({ id: 'x' }) }),
		...[...SERVICES, { apiKey: 'x' }].map((connection) => scopeWith({}, connection)),
	];
	expectAllDifferent([node, ...others.map((other) => other.node)]);
	expect(node).not.toContain(CONNECTION.apiKey);
});

interface Given {
	connection?: Connection;
	parameters?: IDataObject;
	request?: object;
	settings?: object;
	json?: IDataObject;
}

function askedWith({ connection, parameters = {}, json = { row: 1 }, ...given }: Given = {}) {
	const identity = identityOf(parameters, { ...CONNECTION, ...connection });
	const values = {
		request: { model: 'm', prompt: 'A fox', duration: 5, ...given.request },
		files: [],
		settings: { ...createSettingsFrom({}), ...given.settings },
	};
	return askedBy(identity, values, fieldsHashOf(identity.parametersHash, json));
}

test('requests are equal by what is sent, the service and the text, their Callback URL aside', () => {
	const request = { callback_url: 'https://e.com' };
	const settings = { reuseInEditor: false, resendAfterNoReply: true };
	const same = askedWith({ connection: { apiKey: 'x' }, request, settings, json: {} });
	expect(same.requestHash).toBe(askedWith().requestHash);
	expect(same).toMatchObject({ request });
	const others = [
		askedWith(),
		...SERVICES.map((connection) => askedWith({ connection })),
		askedWith({ request: { duration: 6 } }),
		askedWith({ settings: { idempotencyKey: 'row 7' } }),
	];
	expectAllDifferent(others.map(({ requestHash }) => requestHash));
});

describe('the fields of a request', () => {
	const saved = { prompt: '={{ $now }}', options: { contentFilter: false } };
	const hashesOf = (parameters: IDataObject, more: Given = {}) => {
		const asked = askedWith({ parameters, request: { prompt: 'Noon' }, ...more });
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

	test('are the same where Options get their first setting of the run', () =>
		expect(hashesOf({ options: { timeoutMinutes: 90 } })).toEqual(hashesOf({})));

	test('are others with another field, item or service', () => {
		const { options } = saved;
		// Only at the top and in Options do these names belong to the run.
		const images = [1, 2].map((callbackUrl) => ({ image: { callbackUrl } }));
		const hashes = [
			...[saved, { ...saved, prompt: 'x' }, { ...saved, options: {} }, { options }, ...images],
			{ options, prompt: '' },
		].map((parameters) => hashesOf(parameters));
		hashes.push(...SERVICES.map((connection) => hashesOf(saved, { connection })));
		expectAllDifferent(hashes.map(([ofParameters]) => ofParameters));
		const [ofNode, ofItem] = hashesOf(saved, { json: { row: 2 } });
		expect(ofNode).toBe(hashes[0]?.[0]);
		expectAllDifferent([ofItem, ...hashes.map(([, ofFields]) => ofFields)]);
	});

	test('are never the same where the item cannot be saved', () => {
		const json: IDataObject = {};
		json.self = json;
		expect(hashesOf(saved, { json })[1]).not.toBe(hashesOf(saved, { json })[1]);
	});
});
