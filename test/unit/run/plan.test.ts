import { type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { createImageVideo } from '../../../nodes/Videogen/operations/createImageVideo';
import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { getTask } from '../../../nodes/Videogen/operations/getTask';
import type { Operation } from '../../../nodes/Videogen/operations/operation';
import { planItems } from '../../../nodes/Videogen/run/plan';
import type { Failure } from '../../../nodes/Videogen/shared/messages';
import type { Plan } from '../../../nodes/Videogen/work/session';
import { hashOf, isJsonObject } from '../../../nodes/Videogen/shared/json';
import { fileOf, ItemFilesScene } from '../../support/itemFilesScene';
import { GOOD } from '../fields/planned';

/** An expression: it gives something for each item, or throws. */
type Expression = (json: IDataObject) => unknown;

/** What n8n makes of a parameter for an item. */
function resolved(value: unknown, json: IDataObject): unknown {
	if (typeof value === 'function') return value(json);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, resolved(one, json)]),
	);
}

const prompt: Expression = ({ prompt: text }) => text;
const fails: Expression = () => {
	throw new Error('No such node');
};

interface Given {
	operation?: Operation;
	parameters?: Record<string, unknown>;
	isTool?: boolean;
	isForMcpClient?: boolean;
	isPractice?: boolean;
	/** The prompt as it is saved, and what its expressions give. */
	written?: string;
	evaluate?: (part: string) => unknown;
}

async function planned(items: IDataObject[], given: Given = {}) {
	const { operation = createTextVideo, isTool, isPractice = false, written } = given;
	const parameters: Record<string, unknown> = { ...GOOD, prompt, ...given.parameters };
	const scene = new ItemFilesScene({ isTool }).context(undefined);
	const binary = { data: fileOf('image/png') };
	const valueAt = (path: string): unknown =>
		path.split('.').reduce((value: unknown, name) => Reflect.get(Object(value), name), parameters);
	const context: IExecuteFunctions = Object.assign(Object.create(null), scene, {
		getInputData: () => items.map((json) => ({ json, binary })),
		getNode: () => ({ ...scene.getNode(), parameters: { prompt: written } }),
		evaluateExpression: given.evaluate,
		getExecutionId: () => (given.isForMcpClient ? undefined : '7'),
		getNodeParameter: (path: string, index: number) => resolved(valueAt(path), items[index] ?? {}),
	});
	const identity = { service: [], parametersHash: 'parameters' };
	const service = { baseUrl: 'https://api.example.com', apiKey: 'key', modelFamily: 'family' };
	const connection = { ...service, isPractice };
	const end = new AbortController().signal;
	return await planItems({ context, operation, connection, identity, end });
}

const failureIn = (plan?: Plan): Failure | undefined =>
	plan?.do === 'stop' ? plan.failure : undefined;

/** What is said about the only item. */
const wordsOf = async (parameters: Record<string, unknown>, given: Given = {}) => {
	const [item] = await planned([{ prompt: 'A fox' }], { ...given, parameters });
	const failure = failureIn(item);
	return failure && `${failure.message} ${failure.description}`;
};

test('each item is planned with its own values, and one that is invalid holds no other up', async () => {
	const prompts = ['A fox', '', 'An owl'].map((text) => ({ prompt: text }));
	const items = await planned(prompts, { parameters: { simplify: false } });
	const planOf = (index: number) => ({
		index,
		simplify: false,
		wait: { intervalMs: 5_000 },
		downloadTo: 'data',
		settings: { maxConcurrentTasks: 20 },
		asked: { request: { ...prompts[index], model: 'family-text-to-video' } },
	});
	const failure = { kind: 'invalid', message: expect.stringContaining("'Prompt'") };
	expect(items).toMatchObject([planOf(0), { index: 1, simplify: false, failure }, planOf(2)]);
	expect(items.some(({ returned }) => returned)).toBe(false);
});

test('an item that left with an error of this node is known, and is the item that it was', async () => {
	const error = { message: 'No', description: 'Again.', kind: 'failed' };
	const others = [{ ...error, kind: 7 }, { message: 'No' }, 'No'];
	const errors = [{ ...error, orderId: 'order 3' }, error, { ...error, orderId: 3 }, ...others];
	const items = await planned(errors.map((one) => ({ prompt: 'A fox', error: one })));
	const before = { prompt: 'A fox' };
	/** Tells an item from others by its JSON. */
	const fieldsIn = (plan: Plan): unknown => plan.do === 'create' && plan.asked.fieldsHash;
	const fieldsOf = (json: IDataObject) => hashOf(JSON.stringify(['parameters', json]));
	expect(items.map((item) => [item.returned, fieldsIn(item)])).toEqual([
		...[{ orderId: 'order 3' }, {}, {}].map((returned) => [returned, fieldsOf(before)]),
		...others.map((one) => [undefined, fieldsOf({ ...before, error: one })]),
	]);
});

test('a tool gets no files, and is told so where one would help', async () => {
	const given = { operation: createImageVideo, isTool: true };
	const [item] = await planned([{ prompt: 'A fox' }], given);
	expect([failureIn(item), item?.downloadTo]).toEqual([undefined, undefined]);
	const says = async (parameters: Record<string, unknown>, isTool: boolean) =>
		await wordsOf(parameters, { ...given, isTool });
	expect(await says({ firstFrameUrl: 'fox.png' }, true)).toContain('Tools get no files');
	expect(await says({ firstFrameUrl: 'fox.png' }, false)).not.toContain('Tools get no files');
	expect(await says({ prompt: '' }, true)).not.toContain('Tools get no files');
});

test('an MCP client cannot wait for a video', async () => {
	const client = { isForMcpClient: true };
	const says = /^'Wait for Completion' is on, but.*Turn it off.*Get Task/;
	expect(await wordsOf({}, client)).toMatch(says);
	expect(await wordsOf({ waitForCompletion: false }, client)).toBeUndefined();
});

test('Get Task reads the task that an item names, and a live one no practice task', async () => {
	const read = async (taskId: string, isPractice: boolean) =>
		(await planned([{}], { operation: getTask, parameters: { taskId }, isPractice }))[0];
	for (const taskId of ['task_1', 'practice-1']) {
		const plan = { do: 'read', index: 0, downloadTo: 'data', taskId };
		expect(await read(taskId, taskId === 'practice-1')).toMatchObject(plan);
	}
	expect(await read('practice-1', false)).toMatchObject({
		failure: {
			kind: 'invalid',
			message: "'Task ID' is the ID of a practice task",
			description: expect.stringContaining("'Environment' is Practice"),
		},
	});
});

describe('an expression', () => {
	test('that fails is named by its field, or by the label of its option', async () => {
		const options = { idempotencyKey: 'row 7', callbackUrl: fails };
		expect(await wordsOf({ options })).toBe(
			"'Callback URL': No such node Correct the expression in this field.",
		);
		expect(await wordsOf({ options: fails })).toMatch(/^'Options': No such node/);
		const throwsText: Expression = () => AbortSignal.abort('No such node').throwIfAborted();
		expect(await wordsOf({ prompt: throwsText })).toMatch(/^'Prompt': No such node/);
	});

	test('that gives nothing within a text is refused, and one that fails alone is not', async () => {
		const written = '={{ $json.animal }} runs';
		const nothing: Given = { written, evaluate: () => undefined };
		expect(await wordsOf({}, nothing)).toMatch(/^'Prompt': \{\{ \$json\.animal \}\} is undefined/);
		expect(await wordsOf({}, { written, evaluate: () => fails({}) })).toBeUndefined();
	});
});
