import { useBinaryStorage } from '../support/binaryStorage';
import { DEFAULT_API_KEY } from '../../tools/simulator';
import { samplePng } from '../../tools/simulator/sampleFiles';
import { errorOf, type RunResult } from '../support/engine';
import {
	type Given,
	hintsOf,
	idsOf,
	kindOf,
	NO_WAIT,
	numbered,
	RESEND,
	status,
	statusesOf,
	TOOL,
	tries,
	useEngine,
} from '../support/useEngine';

const OTHER_ACCOUNT = 'another-account';
const storage = useBinaryStorage();
const { simulator, click, startClick, produce, keys, loseAnswer } = useEngine({
	apiKeys: [DEFAULT_API_KEY, OTHER_ACCOUNT],
});

const expectCreates = (count: number) => expect(simulator.creates()).toHaveLength(count);
const sorted = (result: RunResult) => idsOf(result).sort();

test('a second click creates nothing, two equal items keep their two tasks, and a hint says so', async () => {
	const more = { options: { callbackUrl: 'https://example.com/called' } };
	const first = await click(['fox', 'fox', 'owl'], { executionId: 'first', more });
	const second = await click(['fox', 'fox', 'owl'], { more });
	expect(sorted(second)).toEqual(sorted(first));
	expect(idsOf(second)[2]).toBe(idsOf(first)[2]);
	expect(new Set(idsOf(second)).size).toBe(3);
	expectCreates(3);
	for (const fact of ['3 of 3', 'execution first', 'Reuse Videos in Editor']) {
		expect(hintsOf(second)).toContain(fact);
	}
	expect(hintsOf(first)).not.toContain('from execution');
});

test('an error says, too, what was reused and how to get a new version, and the next click creates it', async () => {
	await click(['fox'], { executionId: 'first', more: NO_WAIT });
	simulator.finish([...simulator.tasks.keys()][0] ?? '', 'failed');
	const { description, context } = errorOf(await click(['fox']));
	expect(context.kind).toBe('failed');
	expect(description).toContain('execution first');
	expect(description).toContain('Reuse Videos in Editor');
	expectCreates(1);
	expect(statusesOf(await click(['fox']))).toEqual(['completed']);
	expectCreates(2);
});

/** The prompts come out of another node, which has run before. */
const FROM_ANOTHER: Given = { more: { prompt: "={{ $('Start').item.json.prompt }}" } };

test.each<[string, string[], number, Given]>([
	['changed', ['fox', 'a red owl'], 1, {}],
	['changed in another node', ['fox', 'a red owl'], 1, FROM_ANOTHER],
	['removed', ['owl'], 0, {}],
	['moved', ['owl', 'fox'], 0, {}],
	['one more of the same', ['fox', 'owl', 'owl'], 1, {}],
])('an item that is %s: only what is new is created', async (_what, prompts, more, given) => {
	await click(['fox', 'owl'], given);
	await click(prompts, given);
	expectCreates(2 + more);
});

test('production takes nothing that another execution has created', async () => {
	await click(['fox']);
	await produce(['fox']);
	expectCreates(2);
	await produce(['fox']);
	expectCreates(3);
});

test('the option off gives another video each time, and on again the newest', async () => {
	const off = { more: { options: { reuseInEditor: false } } };
	await click(['fox']);
	await click(['fox'], off);
	const newest = await click(['fox'], off);
	expectCreates(3);
	expect(idsOf(await click(['fox']))).toEqual(idsOf(newest));
	expectCreates(3);
});

test.each<[string, Given]>([
	['a prompt', { more: { prompt: 'another' } }],
	['a field that is sent', { more: { duration: 6 } }],
	['an option that is sent', { more: { options: { generateAudio: false } } }],
	['the key', { credential: { apiKey: OTHER_ACCOUNT } }],
	['the Callback URL', { more: { options: { callbackUrl: 'https://example.com/called' } } }],
	['the model family', { credential: { modelFamily: 'other-2.0' } }],
	['the node', { settings: { id: 'another' } }],
	['the workflow, as of a copy', { workflowId: 'another' }],
	['the mode, as in a sub-workflow', { mode: 'integrated' }],
	['the node, which is a tool now', { settings: TOOL }],
])('with another value of %s it is created', async (_what, given) => {
	await click(['fox'], { more: NO_WAIT });
	await click(['fox'], { ...given, more: { ...NO_WAIT, ...given.more } });
	expectCreates(2);
});

test('files are equal by their content, not by their name or place', async () => {
	const more = { operation: 'createImageVideo', imageSource: 'binary', ...NO_WAIT };
	const withFile = async (bytes: Buffer, how = click, name = 'a.png') => {
		const data = await storage.put(bytes, 'image/png', name);
		return await how(['fox'], { more, binaries: [{ data }] });
	};
	await withFile(samplePng());
	await withFile(samplePng(), click, 'b.png');
	expectCreates(1);
	await withFile(samplePng([0, 0, 0]));
	expectCreates(2);
	await withFile(samplePng([9, 9, 9]), produce);
	await withFile(samplePng([9, 9, 9]));
	expectCreates(3);
});

test('a create without a clear answer: refused each time, then sent with the same key where that is allowed', async () => {
	loseAnswer();
	await click(['fox'], { settings: tries(2) });
	const refused = await click(['fox'], { settings: tries(3) });
	expect(kindOf(refused)).toBe('noAnswer');
	expect(errorOf(refused).description).toContain('Send Again if Unanswered');
	expectCreates(1);
	expect(statusesOf(await click(['fox'], { more: RESEND }))).toEqual(['completed']);
	await click(['fox']);
	expect(keys()).toEqual([keys()[0], keys()[0]]);
});

test('what is reused does not count for the limit of a click', async () => {
	const eleven = numbered(11);
	await click(eleven.slice(1), { more: NO_WAIT });
	await click(eleven, { more: NO_WAIT });
	expectCreates(11);
});

test('a Retry of an execution of the editor reuses what was created there since', async () => {
	simulator.script({ on: 'create', fault: status(400) });
	const refused = await click(['fox']);
	const created = await click(['fox']);
	expect(idsOf(await produce(['fox'], { retryOf: refused }))).toEqual(idsOf(created));
	expectCreates(2);
});

test('what throws in the middle of a run leaves nothing that a later click waits for', async () => {
	await click(['fox'], { more: NO_WAIT, credential: { baseUrl: 'http://127.0.0.1:9' } });
	const stopped = startClick(['fox']);
	stopped.cancel();
	await stopped.result;
	expect(statusesOf(await click(['fox']))).toEqual(['completed']);
	expect(simulator.tasks.size).toBe(1);
});
