import { LABELS } from '../../nodes/Videogen/ground/words';
import { useBinaryStorage } from '../programs/support/binaryStorage';
import { DEFAULT_API_KEY } from '../programs/simulator';
import { samplePng } from '../programs/support/sampleFiles';
import { errorOf, type RunResult } from '../programs/support/engine';
import { hintsOf, idsOf, status, statusesOf, tries, useEngine, type Given } from './useEngine';

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
const NO_WAIT = { waitForCompletion: false, downloadResults: false };
/** The items come out of another node, which has run before. */
const BEHIND_ANOTHER: Given = {
	again: (items) => items,
	more: { prompt: "={{ $('Start').item.json.prompt }}" },
};

test('a second click orders nothing, two equal items keep their two tasks, and a hint says so', async () => {
	const first = await click(['fox', 'fox', 'owl'], { executionId: 'first' });
	const streamed: string[] = [];
	const second = await click(['fox', 'fox', 'owl'], { onText: (text) => streamed.push(text) });
	expect(idsOf(second)).toEqual(idsOf(first));
	expect(new Set(idsOf(second)).size).toBe(3);
	expect(creates()).toBe(3);
	for (const said of [hintsOf(second), streamed.join('')]) {
		expect(said).toContain(
			'Nothing was ordered for 3 of 3 videos: they exist already, from execution first (just now).',
		);
	}
	expect(hintsOf(first)).not.toContain('Nothing was ordered');
});

test.each<[string, string[], number, Given]>([
	['changed', ['fox', 'a red owl'], 1, {}],
	['changed in another node', ['fox', 'a red owl'], 1, BEHIND_ANOTHER],
	['removed', ['owl'], 0, {}],
	['moved', ['owl', 'fox'], 0, {}],
	['one more of the same', ['fox', 'owl', 'owl'], 1, {}],
])('an item that is %s: only what is new is ordered', async (_what, prompts, more, given) => {
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

test('two runs of a loop, for the same, have two tasks, and take these in the next click', async () => {
	const loop = async (executionId: string) => [
		...idsOf(await click(['fox'], { executionId })),
		...idsOf(await click(['fox'], { executionId, earlierRuns: 1 })),
	];
	expect(await loop('one')).toEqual(await loop('another'));
	expect(creates()).toBe(2);
});

test('a create under way in another execution is waited for, and its task taken', async () => {
	const both = [click(['fox'], { more: NO_WAIT }), click(['fox'], { more: NO_WAIT })];
	const [one, other] = (await Promise.all(both)).map(idsOf);
	expect(other).toEqual(one);
	expect(creates()).toBe(1);
});

test('what production has ordered is not used in the editor, nor the other way', async () => {
	await produce(['fox']);
	await click(['fox']);
	expect(creates()).toBe(2);
	await produce(['fox']);
	expect(creates()).toBe(3);
});

test('the option off gives a better take, and on again keeps it', async () => {
	await click(['fox']);
	const better = await click(['fox'], { more: { options: { reuseInEditor: false } } });
	expect(creates()).toBe(2);
	expect(idsOf(await click(['fox']))).toEqual(idsOf(better));
	expect(creates()).toBe(2);
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
])('with another value of %s it is ordered', async (_what, given) => {
	await click(['fox'], { more: NO_WAIT });
	await click(['fox'], { ...given, more: { ...NO_WAIT, ...given.more } });
	expect(creates()).toBe(2);
});

test('a Callback URL of the person orders each time', async () => {
	const more = { ...NO_WAIT, options: { callbackUrl: 'https://example.com/hook' } };
	await click(['fox'], { more });
	await click(['fox'], { more });
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

test('a failed task is not taken, also where nobody has seen that it failed', async () => {
	simulator.planTask({ outcome: 'failed', times: 2 });
	await click(['fox']);
	await click(['fox'], { more: NO_WAIT });
	await clock.sleep(60_000, new AbortController().signal);
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
	expect(description).toContain('change something or run the workflow again');
	expect(creates()).toBe(0);
});

test('a create without a clear answer: refused each time, then sent with the same key where that is allowed', async () => {
	simulator.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
	await click(['fox'], { settings: tries(2) });
	const refused = errorOf(await click(['fox'], { settings: tries(3) }));
	expect(refused.context.kind).toBe('noAnswer');
	expect(refused.description).toContain(`switch on '${LABELS.resendAfterNoReply}'`);
	await click(['fox']);
	expect(creates()).toBe(1);
	const more = { options: { resendAfterNoReply: true } };
	expect(statusesOf(await click(['fox'], { more }))).toEqual(['completed']);
	const [first, second] = simulator.creates().map(({ headers }) => headers['idempotency-key']);
	expect(second).toBe(first);
	await click(['fox']);
	expect(creates()).toBe(2);
});

test('what a later try ordered in the place of one that had failed is taken', async () => {
	simulator.planTask({ outcome: 'failed', durationMs: 1_000 });
	simulator.script({ on: 'task', fault: status(401) });
	const first = await click(['fox'], { settings: tries(2) });
	expect(statusesOf(first)).toEqual(['completed']);
	expect(idsOf(await click(['fox']))).toEqual(idsOf(first));
	expect(creates()).toBe(2);
});

test('a click creates at most 10 videos, and says what more would be; all else as it was', async () => {
	const eleven = Array.from({ length: 11 }, (_, index) => `number ${index}`);
	const { message, description } = errorOf(await click(eleven));
	expect(message).toBe(
		'This would create 11 videos, 55 seconds in total, but an execution in the editor creates at most 10',
	);
	expect(description).toContain(`add '${LABELS.maxNewTasks}' in '${LABELS.options}'`);
	expect(creates()).toBe(0);
	await click(eleven.slice(1), { more: NO_WAIT });
	await click(eleven, { more: NO_WAIT });
	expect(creates()).toBe(11);
	const others = (prompt: string) => `${prompt} again`;
	await click(eleven.map(others), { more: { ...NO_WAIT, options: { maxNewTasks: 11 } } });
	await produce(eleven.map(others), { more: NO_WAIT });
	expect(creates()).toBe(33);
	const credential = { environment: 'practice' };
	expect((await click(eleven, { credential, more: NO_WAIT })).output).toHaveLength(11);
	expect(creates()).toBe(33);
});

test('the limit counts orders only', async () => {
	await click(['fox', 'owl']);
	const { status: ended } = await click(['fox', 'owl', 'bee'], {
		more: { options: { maxNewTasks: 1 } },
	});
	expect([ended, creates()]).toEqual(['success', 3]);
});

test('a tool orders each time', async () => {
	const parameters = { operation: 'createTextVideo', prompt: 'fox', ...NO_WAIT };
	const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };
	for (let call = 0; call < 2; call += 1) {
		await runNode({ parameters, settings, mode: 'manual', process });
	}
	expect(creates()).toBe(2);
});
