import { useBinaryStorage } from '../support/binaryStorage';
import { DEFAULT_API_KEY } from '../../tools/simulator';
import { samplePng } from '../../tools/simulator/sampleFiles';
import { errorOf, type RunResult } from '../support/engine';
import {
	CONTINUE,
	hintsOf,
	idsOf,
	status,
	statusesOf,
	tries,
	useEngine,
	type Given,
} from '../support/useEngine';

const OTHER_KEY = 'another-key-0987';
const storage = useBinaryStorage();
const { simulator, clock, newProcess, start, run, runNode } = useEngine({
	apiKeys: [DEFAULT_API_KEY, OTHER_KEY],
});
/** Remembering goes by the date, which is virtual, too. */
beforeAll(() =>
	Object.assign(clock, { date: () => Math.floor(Date.UTC(2026, 10, 24) + clock.now()) }),
);

/** The clicks of a test are all in one n8n process, each an execution of its own. */
let process: ReturnType<typeof newProcess>;
beforeEach(() => (process = newProcess()));
const click = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
	await run(prompts, { mode: 'manual', process, ...given });
const produce = async (prompts: string[], given: Given = {}) =>
	await click(prompts, { mode: 'trigger', ...given });

const creates = (): number => simulator.creates().length;
const never = (times = 1) => simulator.planTask({ outcome: 'never', times });
const SHORT = { options: { timeoutMinutes: 1 } };
const kindOf = (result: RunResult): unknown => errorOf(result).context.kind;
const sorted = (result: RunResult) => idsOf(result).sort();
const NO_WAIT = { waitForCompletion: false, downloadResults: false };
/** The items come out of another node, which has run before. */
const BEHIND_ANOTHER: Given = {
	again: (items) => items,
	more: { prompt: "={{ $('Start').item.json.prompt }}" },
};

test('a second click creates nothing, two equal items keep their two tasks, and a hint says so', async () => {
	const first = await click(['fox', 'fox', 'owl'], { executionId: 'first' });
	const second = await click(['fox', 'fox', 'owl']);
	expect(sorted(second)).toEqual(sorted(first));
	expect(idsOf(second)[2]).toBe(idsOf(first)[2]);
	expect(new Set(idsOf(second)).size).toBe(3);
	expect(creates()).toBe(3);
	expect(hintsOf(second)).toMatch(/3 of 3 videos from execution first \(just now\)/);
	expect(hintsOf(second)).toContain('Reuse Videos in Editor');
	expect(hintsOf(first)).not.toContain('from execution');
});

test('an error says, too, what was reused and how to get a new version', async () => {
	await click(['fox'], { executionId: 'first', more: NO_WAIT });
	simulator.finish([...simulator.tasks.keys()][0] ?? '', 'failed');
	const { description, context } = errorOf(await click(['fox']));
	expect(context.kind).toBe('failed');
	expect(description).toContain('execution first');
	expect(description).toContain('Reuse Videos in Editor');
});

test.each<[string, string[], number, Given]>([
	['changed', ['fox', 'a red owl'], 1, {}],
	['changed in another node', ['fox', 'a red owl'], 1, BEHIND_ANOTHER],
	['removed', ['owl'], 0, {}],
	['moved', ['owl', 'fox'], 0, {}],
	['one more of the same', ['fox', 'owl', 'owl'], 1, {}],
])('an item that is %s: only what is new is created', async (_what, prompts, more, given) => {
	await click(['fox', 'owl'], given);
	await click(prompts, given);
	expect(creates()).toBe(2 + more);
});

test('a timeout, and a stop while waiting: the same tasks are waited for', async () => {
	never(2);
	expect((await click(['fox'], { more: SHORT })).status).toBe('error');
	const stopped = start(['owl'], { mode: 'manual', process });
	await simulator.waitForRequest(() => simulator.tasks.size === 2 && simulator.reads().length > 20);
	stopped.cancel();
	for (const id of simulator.tasks.keys()) simulator.finish(id);
	expect(statusesOf(await click(['fox', 'owl']))).toEqual(['completed', 'completed']);
	expect(creates()).toBe(2);
});

test('stopped while creates are under way, and run at once: their videos come', async () => {
	const stopped = start(['fox', 'owl'], { mode: 'manual', process });
	await simulator.waitForRequest(({ route }) => route === 'create');
	stopped.cancel();
	expect(statusesOf(await click(['fox', 'owl']))).toEqual(['completed', 'completed']);
	expect(creates()).toBe(2);
});

test('two runs of a loop, for the same, have two tasks, which the next click reuses', async () => {
	const loop = async (executionId: string) => [
		...idsOf(await click(['fox'], { executionId })),
		...idsOf(await click(['fox'], { executionId, earlierRuns: 1 })),
	];
	const first = await loop('one');
	expect(new Set(await loop('another'))).toEqual(new Set(first));
	expect(creates()).toBe(2);
});

test('what production has created is not used in the editor, nor the other way', async () => {
	await produce(['fox']);
	await click(['fox']);
	expect(creates()).toBe(2);
	await produce(['fox']);
	expect(creates()).toBe(3);
});

test('the option off gives another video each time, and on again one that exists', async () => {
	const first = await click(['fox']);
	const OFF = { more: { options: { reuseInEditor: false } } };
	await click(['fox'], OFF);
	await click(['fox'], OFF);
	expect(creates()).toBe(3);
	expect(idsOf(await click(['fox']))).toEqual(idsOf(first));
	expect(creates()).toBe(3);
});

test.each<[string, Given]>([
	['a prompt', { more: { prompt: 'another' } }],
	['a field that is sent', { more: { duration: 6 } }],
	['an option that is sent', { more: { options: { generateAudio: false } } }],
	['the key', { credential: { apiKey: OTHER_KEY } }],
	['the model family', { credential: { modelFamily: 'other-2.0' } }],
	['the node', { settings: { id: 'another' } }],
	['the workflow, as of a copy', { workflowId: 'another' }],
	['the mode, as in a sub-workflow', { mode: 'integrated' }],
])('with another value of %s it is created', async (_what, given) => {
	await click(['fox'], { more: NO_WAIT });
	await click(['fox'], { ...given, more: { ...NO_WAIT, ...given.more } });
	expect(creates()).toBe(2);
});

test('files are equal by their content, not by their name or place', async () => {
	const more = { operation: 'createImageVideo', imageSource: 'binary', ...NO_WAIT };
	const withFile = async (bytes: Buffer, how = click) =>
		await how(['fox'], {
			more,
			binaries: [{ data: await storage.put(bytes, 'image/png', 'a.png') }],
		});
	await withFile(samplePng());
	await withFile(samplePng());
	expect(creates()).toBe(1);
	await withFile(samplePng([0, 0, 0]));
	expect(creates()).toBe(2);
	await withFile(samplePng([9, 9, 9]), produce);
	await withFile(samplePng([9, 9, 9]));
	expect(creates()).toBe(4);
});

test('a failed task is not reused; the click that finds it failed says so', async () => {
	simulator.planTask({ outcome: 'failed', times: 2 });
	await click(['fox']);
	await click(['fox'], { more: NO_WAIT });
	await clock.sleep(60_000, new AbortController().signal);
	expect(creates()).toBe(2);
	expect(kindOf(await click(['fox']))).toBe('failed');
	expect(creates()).toBe(2);
	expect(statusesOf(await click(['fox']))).toEqual(['completed']);
	expect(creates()).toBe(3);
});

test('a task that the service does not know any more is an error, and what to do', async () => {
	await click(['fox']);
	// The service has forgotten the task, and its log of the create.
	simulator.reset();
	const { context, description } = errorOf(await click(['fox']));
	expect(context.kind).toBe('notFound');
	expect(description).toContain('Reuse Videos in Editor');
	expect(creates()).toBe(0);
});

test('a create without a clear answer: refused each time, then sent with the same key where that is allowed', async () => {
	simulator.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
	await click(['fox'], { settings: tries(2) });
	const refused = errorOf(await click(['fox'], { settings: tries(3) }));
	expect(refused.context.kind).toBe('noAnswer');
	expect(refused.description).toContain('Send Again if Unanswered');
	await click(['fox']);
	expect(creates()).toBe(1);
	const more = { options: { resendAfterNoReply: true } };
	expect(statusesOf(await click(['fox'], { more }))).toEqual(['completed']);
	const [first, second] = simulator.creates().map(({ headers }) => headers['idempotency-key']);
	expect(second).toBe(first);
	await click(['fox']);
	expect(creates()).toBe(2);
});

test('what a later try created in the place of one that had failed is reused', async () => {
	simulator.planTask({ outcome: 'failed', durationMs: 1_000 });
	simulator.script({ on: 'task', fault: status(401) });
	const first = await click(['fox'], { settings: tries(2) });
	expect(statusesOf(first)).toEqual(['completed']);
	expect(idsOf(await click(['fox']))).toEqual(idsOf(first));
	expect(creates()).toBe(2);
});

test('a click creates at most 10 videos; what is reused does not count', async () => {
	const eleven = Array.from({ length: 11 }, (_, index) => `number ${index}`);
	const more = NO_WAIT;
	expect(kindOf(await click(eleven, { more }))).toBe('limit');
	expect(creates()).toBe(0);
	await click(eleven.slice(1), { more });
	await click(eleven, { more });
	expect(creates()).toBe(11);
	const one = { ...more, options: { maxNewTasks: 1 } };
	const { output } = await click([...eleven, 'more', 'and more'], {
		more: one,
		settings: CONTINUE,
	});
	expect(output.filter(({ json }) => json.error === undefined)).toHaveLength(11);
	expect((await click([...eleven, 'more'], { more: one })).status).toBe('success');
	expect(creates()).toBe(12);
});

test('a Retry of an execution of the editor reuses what was created there since', async () => {
	simulator.script({ on: 'create', fault: status(400) });
	const refused = await click(['fox']);
	const created = await click(['fox']);
	const retried = await produce(['fox'], { retryOf: refused });
	expect(idsOf(retried)).toEqual(idsOf(created));
	expect(creates()).toBe(2);
});

test('what throws in the middle of a run leaves nothing that a later click waits for', async () => {
	const parameters = { operation: 'createTextVideo', prompt: 'fox', ...NO_WAIT };
	const broken = { baseUrl: 'http://127.0.0.1:9' };
	await runNode({ parameters, mode: 'manual', process, credential: broken });
	const stopped = start(['fox'], { mode: 'manual', process });
	stopped.cancel();
	await stopped.result;
	expect(statusesOf(await click(['fox']))).toEqual(['completed']);
	expect(simulator.tasks.size).toBe(1);
});

test('a tool creates in each execution', async () => {
	const parameters = { operation: 'createTextVideo', prompt: 'fox', ...NO_WAIT };
	const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };
	for (let call = 0; call < 2; call += 1) {
		await runNode({ parameters, settings, mode: 'manual', process });
	}
	expect(creates()).toBe(2);
});
