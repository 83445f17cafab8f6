import { samplePng } from '../../tools/simulator/sampleFiles';
import { useBinaryStorage } from '../support/binaryStorage';
import { errorOf } from '../support/engine';
import {
	CONTINUE,
	idsOf,
	kindOf,
	NOW,
	status,
	statusesOf,
	tries,
	useEngine,
} from '../support/useEngine';

/**
 * What a try leaves for the next one, so that nobody pays twice or loses what was paid. Which answers
 * let a create be sent again is played in the fault matrix.
 */
const storage = useBinaryStorage();
const { simulator, clock, produce, run, taskOf, tasksOf, createsOf, loseAnswer } = useEngine();

const ITEMS = ['one', 'two', 'three'];
const outage = (prompt: string) => simulator.script({ on: 'task', prompt, fault: status(405) });

describe('a retry', () => {
	test('creates the items that had not been sent yet, and what has failed', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', durationMs: 1_000 });
		const more = { options: { maxConcurrentTasks: 1 } };
		const first = await run(ITEMS, { more });
		expect((await run(ITEMS, { more, retryOf: first })).status).toBe('success');
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(['one', 'one', 'two', 'three']);
	});

	test('of items with equal requests keeps each to its own task', async () => {
		simulator.planTask({ outcome: 'failed', durationMs: 1_000 });
		const first = await run(['one', 'one', 'one']);
		expect(errorOf(first).context.status).toBe('failed');
		const kept = tasksOf('one').filter((task) => task.status() !== 'failed');
		const second = await run(['one', 'one', 'one'], { retryOf: first });
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(idsOf(second)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
		expect(simulator.tasks.size).toBe(4);
	});

	test('gives the prompt that was sent, though its expression gives something else by now', async () => {
		const more = { ...NOW, simplify: true };
		simulator.script({ on: 'task', fault: status(405) });
		const first = await run(['one'], { more });
		const second = await run(['one'], { more, retryOf: first });
		expect(second.output[0]?.json.prompt).toBe(taskOf(/^one/).prompt);
	});

	test('that is the second of the same execution finds what the first one created', async () => {
		simulator.script({ on: 'create', fault: status(400) });
		const first = await produce(['one']);
		const again = await produce(['one'], { retryOf: first });
		expect(idsOf(await produce(['one'], { retryOf: first }))).toEqual(idsOf(again));
		expect(tasksOf('one')).toHaveLength(1);
	});

	test('resends what got no answer for the item alone for which the person allows it', async () => {
		for (const prompt of ['one', 'two']) loseAnswer(prompt);
		const first = await run(['one', 'two']);
		const options = { resendAfterNoReply: '={{ $json.prompt === "two" }}' };
		await run(['one', 'two'], { settings: CONTINUE, more: { options }, retryOf: first });
		expect(tasksOf('one')).toHaveLength(1);
		expect(tasksOf('two')).toHaveLength(2);
	});
});

describe('a retry whose files are gone, as n8n deletes some uploads when an execution ends,', () => {
	const FRAMES = { operation: 'createImageVideo', imageSource: 'binary' };
	async function isRetried(prompts: string[]) {
		const data = await storage.put(samplePng(), 'image/png', 'a.png');
		const binaries = prompts.map(() => ({ data }));
		const first = await run(prompts, { more: FRAMES, binaries });
		const gone = prompts.map(() => ({ data: { ...data, id: `${data.id}-gone` } }));
		return await run(prompts, { more: FRAMES, binaries: gone, retryOf: first });
	}

	test('reads the tasks that exist', async () => {
		outage('one');
		const second = await isRetried(['one', 'two']);
		expect(idsOf(second)).toEqual([taskOf('one').id, taskOf('two').id]);
	});

	test('says that a video may exist', async () => {
		loseAnswer('one');
		const second = await isRetried(['one', 'two']);
		expect(kindOf(second)).toBe('noAnswer');
		expect(simulator.tasks.size).toBe(2);
	});

	test('cannot create what has failed, and says why', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed' });
		const { context, message } = errorOf(await isRetried(['one']));
		expect([context.kind, message]).toEqual(['invalid', expect.stringContaining('no longer')]);
		expect(simulator.tasks.size).toBe(1);
	});
});

test('after an error, a node that is not set to continue creates no more, follows what exists to its end, and throws the first error', async () => {
	simulator.planTask({ prompt: 'two', durationMs: 10 * 60_000 });
	simulator.planTask({ prompt: 'three', outcome: 'failed', durationMs: 60_000 });
	simulator.script({ on: 'create', prompt: 'four', fault: status(400) });
	const more = { options: { maxConcurrentTasks: 4 } };
	const beganAt = clock.now();
	const { context } = errorOf(await run(['one', 'two', 'three', 'four', 'five'], { more }));
	expect(context).toMatchObject({ kind: 'refused', item: 4 });
	expect(context.data).toMatchObject({
		otherTasks: [
			{ itemIndex: 0, taskId: taskOf('one').id, status: 'completed' },
			{ itemIndex: 1, taskId: taskOf('two').id, status: 'completed' },
			{ itemIndex: 2, taskId: taskOf('three').id, status: 'failed' },
		],
	});
	expect(createsOf('five')).toEqual([]);
	expect(clock.now() - beganAt).toBeGreaterThanOrEqual(10 * 60_000);
});

test('a retry that can only stop, for a create without an answer, reads the tasks of the others, and names them', async () => {
	loseAnswer('two');
	const first = await run(ITEMS);
	const readsBefore = simulator.reads().length;
	const second = await run(ITEMS, { retryOf: first });
	const { context } = errorOf(second);
	expect(context).toMatchObject({ kind: 'noAnswer', item: 2 });
	expect(context.data).toMatchObject({
		otherTasks: ['one', 'three'].map((prompt) => ({
			taskId: taskOf(prompt).id,
			status: 'completed',
		})),
	});
	expect(simulator.reads().length).toBeGreaterThan(readsBefore);
	expect(simulator.tasks.size).toBe(3);
});

test.each([[''], [0], [[]], [{}], [null], [false]])(
	'a completed task whose record has the error %j, which n8n takes for one, is not created again by Retry On Fail',
	async (error) => {
		simulator.script({ on: 'task', times: Infinity, fault: { kind: 'merge', fields: { error } } });
		const result = await run(['one', 'two'], { settings: tries(3) });
		expect(statusesOf(result)).toEqual(['completed', 'completed']);
		expect(simulator.tasks.size).toBe(2);
	},
);
