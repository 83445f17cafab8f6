import type { IDataObject } from 'n8n-workflow';
import { nodeProperties } from '../../nodes/Videogen/fields';
import { requestIdentities } from '../../nodes/Videogen/run/requestIdentity';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';

const BODY: GenerationRequest = { model: 'videogen-2.5-text-to-video', prompt: 'fox', duration: 5 };

interface Asked {
	body?: Partial<GenerationRequest>;
	serviceUrl?: string;
	/** In the node as saved, added to a prompt. */
	parameters?: IDataObject;
	item?: IDataObject;
	isTool?: boolean;
}

/** Identities of what is asked for. */
function identitiesOf(asked: Asked): string[] {
	const { body, serviceUrl = 'https://api.example.com', parameters, item = {}, isTool } = asked;
	const written = { prompt: '={{ $json.prompt }}', ...parameters };
	const source = { parameters: written, fields: nodeProperties, item };
	return requestIdentities({ ...BODY, ...body }, serviceUrl, isTool ? undefined : source);
}

/** Whether a retry takes the second for the same request as the first. */
function areSame(one: Asked, other: Asked): boolean {
	const known = identitiesOf(one);
	return identitiesOf(other).some((identity) => known.includes(identity));
}

test.each([true, false])(
	'a request has %j: as a tool one short text, else a second one for what was written',
	(isTool) => {
		const identities = identitiesOf({ isTool, body: { prompt: 'fox '.repeat(2_000) } });
		expect(new Set(identities).size).toBe(isTool ? 1 : 2);
		for (const identity of identities) expect(identity.length).toBeLessThan(100);
	},
);

describe('of a tool, what its agent gave is all that counts:', () => {
	const areSameOfTool = (one: Partial<GenerationRequest>, other: Partial<GenerationRequest>) =>
		areSame({ body: one, isTool: true }, { body: other, isTool: true });

	test('the same, whatever was written', () => {
		const parameters = { prompt: 'another', options: {} };
		expect(areSame({ isTool: true }, { isTool: true, parameters, item: { a: 1 } })).toBe(true);
	});

	test.each<Partial<GenerationRequest>>([
		{ model: 'videogen-2.6-text-to-video' },
		{ prompt: 'cat' },
		{ duration: 6 },
		{ duration: undefined },
		{ image_urls: ['https://e.com/a.png'] },
		{ model_params: { seed: 1 } },
	])('another with %j', (body) => expect(areSameOfTool({}, body)).toBe(false));

	test('another with another parameter of the model, whatever that is called', () => {
		const paramsOf = (callback_url: string) => ({ model_params: { callback_url } });
		expect(areSameOfTool(paramsOf('a'), paramsOf('b'))).toBe(false);
	});

	test('the same with another callback', () => {
		expect(areSameOfTool({}, { callback_url: 'https://e.com/callback' })).toBe(true);
	});

	test('the same in another order', () => {
		const { model, prompt, duration } = BODY;
		const source = undefined;
		expect(requestIdentities({ duration, prompt, model }, 'https://e.com', source)).toEqual(
			requestIdentities({ model, prompt, duration }, 'https://e.com', source),
		);
	});
});

describe('what was written for the same item', () => {
	/** Something that expressions give another value on every try. */
	const onThisTry: Asked = { body: { prompt: 'fox 1' }, item: { prompt: 'fox' } };
	const onTheNext: Asked = { ...onThisTry, body: { prompt: 'fox 2' } };

	test('asks for the same, whatever its expressions give', () => {
		expect(areSame(onThisTry, onTheNext)).toBe(true);
	});

	test.each<[string, Asked]>([
		['of another service', { serviceUrl: 'https://api.other.example' }],
		['of another model', { body: { prompt: 'fox 2', model: 'videogen-2.6-text-to-video' } }],
		['with another value', { parameters: { prompt: 'fox 2' } }],
		['with another option', { parameters: { options: { generateAudio: false } } }],
		['for another item', { item: { prompt: 'cat' } }],
	])('asks for another %s', (_what, more) => {
		expect(areSame(onThisTry, { ...onTheNext, ...more })).toBe(false);
	});

	test.each<[string, IDataObject]>([
		['whether it waits', { waitForCompletion: false }],
		['whether it downloads', { downloadResults: true }],
		['how it puts out', { simplify: false }],
		['what is filled in', { quality: '720p', duration: 5, options: {} }],
	])('asks for the same with a change of %s', (_what, parameters) => {
		expect(areSame(onThisTry, { ...onTheNext, parameters })).toBe(true);
	});

	test.each<IDataObject>([
		{ maxConcurrentTasks: 3 },
		{ maxNewTasks: 3 },
		{ resendAfterNoReply: true },
		{ callbackUrl: 'https://e.com/callback' },
		{ pollIntervalSeconds: 9 },
		{ binaryPropertyOutput: 'clip' },
	])('asks for the same with the option %j', (option) => {
		const audio = { generateAudio: false };
		const one = { ...onThisTry, parameters: { options: audio } };
		const other = { ...onTheNext, parameters: { options: { ...audio, ...option } } };
		expect(areSame(one, other)).toBe(true);
	});

	test('asks for the same without an option that changed nothing, and with no options', () => {
		const one = { ...onThisTry, parameters: { options: { maxNewTasks: 3 } } };
		expect(areSame(one, onTheNext)).toBe(true);
	});

	test('asks for another with an option that is added, though it has its default', () => {
		const one = { ...onThisTry, parameters: { options: { generateAudio: true } } };
		expect(areSame(one, onTheNext)).toBe(false);
	});

	test('asks for another with options that are another text', () => {
		const one = { ...onThisTry, parameters: { options: '={{ $json.one }}' } };
		const other = { ...onTheNext, parameters: { options: '={{ $json.other }}' } };
		expect(areSame(one, one)).toBe(true);
		expect(areSame(one, other)).toBe(false);
	});

	test('asks for the same when the item holds what cannot be saved', () => {
		const item: IDataObject = {};
		item.itself = item;
		expect(areSame({ ...onThisTry, item }, { ...onTheNext, item })).toBe(true);
	});
});

test('a request that is the same for a changed item or a changed field asks for the same', () => {
	const changed = { parameters: { prompt: 'fox' }, item: { prompt: 'fox', row: 2 } };
	expect(areSame({}, changed)).toBe(true);
});

/** Else a retry after an update of the node would create, and pay for, everything again. */
test('a request has the text that saved executions have of it', () => {
	expect(identitiesOf({ isTool: true })).toEqual(['3l1mFMGnenslQRAeyE6QBdAR0_AnYGG9RKaiYgH3e4E']);
});

test('the same request to another service asks for another', () => {
	const serviceUrl = 'https://api.other.example';
	expect(areSame({ isTool: true }, { isTool: true, serviceUrl })).toBe(false);
});
