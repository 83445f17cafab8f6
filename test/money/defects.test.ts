/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { useBinaryStorage } from '../support/binaryStorage';
import { errorOf, type RunResult } from '../support/engine';
import { samplePng } from '../../tools/simulator/sampleFiles';
import {
	CONTINUE,
	errorIn,
	type Given,
	hintsOf,
	idsOf,
	kindOf,
	memoryOf,
	numbered,
	RESEND,
	RESET,
	status,
	tries,
	useEngine,
} from '../support/useEngine';

/**
 * Defects that people met, each with the number of its report. What the service counts decides, and
 * facts in errors. Those of downloads stand in `unit/files/download.test.ts`,
 * that of the credential test in `unit/credentialTest.test.ts`.
 */
const storage = useBinaryStorage();
const engine = useEngine();
const { simulator, clock, newProcess, run, click, produce, tasksOf, taskOf, createsOf } = engine;

describe('defect 1: items with equal JSON, whose prompts come from elsewhere', () => {
	const ROWS = ['fox', 'owl', 'bee'];

	test.each([
		[503, 'Retry On Fail tries again', tries(2)],
		[402, 'Retry On Fail tries again', tries(2)],
		[503, 'a person presses Retry', {}],
		[402, 'a person presses Retry', {}],
	])(
		'have one task each, and their own videos, when the first create is answered %d and %s',
		async (code, _who, settings) => {
			const given: Given = {
				settings,
				more: { prompt: `={{ ${JSON.stringify(ROWS)}[$itemIndex] }}` },
			};
			simulator.script({ on: 'create', fault: status(code) });
			let result = await produce(['ok', 'ok', 'ok'], given);
			if (result.status === 'error') {
				result = await produce(['ok', 'ok', 'ok'], { ...given, retryOf: result });
			}
			expect(ROWS.map((prompt) => tasksOf(prompt).length)).toEqual([1, 1, 1]);
			expect(idsOf(result)).toEqual(ROWS.map((prompt) => taskOf(prompt).id));
		},
	);
});

describe('defect 2: kept orders that cannot be read', () => {
	/** As another version of the node may have written it. */
	function withUnreadableEntry(result: RunResult): RunResult {
		const text = memoryOf(result).replace(/"version":\d+/, '"version":"another"');
		expect(text).toContain('another');
		Object.assign(Object(result.data.executionData), { contextData: JSON.parse(text) });
		return result;
	}

	test.each<[string, Given]>([
		['a node that stops on errors', {}],
		['one that continues', { settings: CONTINUE }],
	])('nothing is created again by Retry: %s', async (_what, given) => {
		simulator.script({ on: 'task', times: 2, fault: status(405) });
		const first = await run(['one', 'two']);
		const second = await run(['one', 'two'], { ...given, retryOf: withUnreadableEntry(first) });
		expect(createsOf('one')).toHaveLength(1);
		expect(createsOf('two')).toHaveLength(1);
		expect(errorIn(second) ?? errorOf(second).context).toMatchObject({ kind: 'noAnswer' });
	});
});

test('defect 3: a record over 8 kB of a task that failed for its content is not created again by Retry On Fail', async () => {
	const error = { code: 'content_policy_violation', message: 'No. '.repeat(4_000) };
	simulator.planTask({ outcome: 'failed', error, times: 3 });
	const result = await run(['one'], { settings: tries(3) });
	expect(tasksOf('one')).toHaveLength(1);
	expect(kindOf(result)).toBe('moderation');
});

test('defect 4: a hint about a video that may exist does not say that one was not made which is still under way', async () => {
	simulator.planTask({ outcome: 'never' });
	const more = { options: { timeoutMinutes: 1 } };
	const result = await run(['one'], { more, settings: CONTINUE });
	expect(errorIn(result)).toMatchObject({ kind: 'timeout', taskId: taskOf('one').id });
	expect(hintsOf(result)).toContain('warning');
	expect(hintsOf(result)).not.toMatch(/not (?:made|created|generated)|no video/i);
});

test('defect 6: a changed key in Options creates another video in the editor, and each key keeps its own', async () => {
	const take = async (text: string) =>
		idsOf(await click(['one'], { more: { options: { idempotencyKey: text } } }));
	const [one] = await take('take-1');
	const [two] = await take('take-2');
	expect(two).not.toBe(one);
	expect(tasksOf('one')).toHaveLength(2);
	expect(await take('take-1')).toEqual([one]);
	expect(await take('take-2')).toEqual([two]);
	expect(tasksOf('one')).toHaveLength(2);
});

describe('defect 7: an answer that says 500 and names a task', () => {
	const misplaced = (code: number) =>
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: code } });

	test.each<[string, number, Given]>([
		['', 500, {}],
		[', and where it may be sent again', 500, { more: RESEND }],
		[', and by a node that continues', 500, { more: RESEND, settings: CONTINUE }],
		[', and so is one that says 400', 400, {}],
		[', and so is one that says 404', 404, {}],
		[', and so is one that says 429', 429, {}],
		[', and so is one that says 501', 501, {}],
	])("is sent once, and a person's Retry brings its video%s", async (_what, code, given) => {
		misplaced(code);
		const settings = { ...tries(3), ...given.settings };
		const first = await run(['one'], { ...given, settings });
		const { id } = taskOf('one');
		expect(errorIn(first) ?? errorOf(first).context).toMatchObject({
			kind: 'noAnswer',
			taskId: id,
		});
		const second = await run(['one'], { ...given, settings, retryOf: first });
		expect(second.output[0]?.json).toMatchObject({ id, status: 'completed' });
		expect(createsOf('one')).toHaveLength(1);
	});

	test('is sent once, and the next click in the editor brings its video', async () => {
		misplaced(500);
		await click(['one']);
		expect(idsOf(await click(['one']))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});
});

describe('defect 8: the limit counts tasks, and not requests', () => {
	const more = { options: { maxNewTasks: 2, resendAfterNoReply: true } };

	test.each([
		['got no answer, have both after a Retry', RESET, 'error'],
		['was refused at first, have both tasks', status(503), 'success'],
	])('two items with a limit of two, of which one %s', async (_what, fault, end) => {
		simulator.script({ on: 'create', prompt: 'one', fault });
		const first = await run(['one', 'two'], { more, settings: tries(3) });
		expect(first.status).toBe(end);
		const second = await run(['one', 'two'], { more, settings: tries(3), retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('one').id, taskOf('two').id]);
	});
});

test('defect 9: Stop ends the node while a file is hashed whose stream stalls', async () => {
	const data = await storage.put(samplePng(), 'image/png', 'photo.png');
	const reading = new Promise<void>((resolve) =>
		jest.spyOn(Container.get(BinaryDataService), 'getAsStream').mockImplementation(async () => {
			resolve();
			return await Promise.resolve(new Readable({ read: () => undefined }));
		}),
	);
	const stopped = engine.startClick(['one'], {
		binaries: [{ data }],
		more: { operation: 'createImageVideo', imageSource: 'binary' },
	});
	await reading;
	stopped.cancel();
	await stopped.result;
	await stopped.isOver();
	expect(simulator.requests).toHaveLength(0);
}, 10_000);

describe('defect 10: two items with one key', () => {
	const twins = async (settings = {}) =>
		await run(['one', 'one'], {
			settings,
			more: { simplify: '={{ $itemIndex === 0 }}', options: { idempotencyKey: 'row-1' } },
		});

	test('the second is refused, and does not get what the first has asked for', async () => {
		const result = await twins(CONTINUE);
		expect(result.output[0]?.json).toMatchObject({
			id: taskOf('one').id,
			videoUrl: expect.stringMatching(/^http/),
		});
		expect(errorIn(result, 1)).toMatchObject({ kind: 'invalid' });
		expect(createsOf('one')).toHaveLength(1);
	});

	test('a node that stops on errors sends nothing', async () => {
		expect(kindOf(await twins())).toBe('invalid');
		expect(simulator.requests).toHaveLength(0);
	});
});

describe('defect 12: what slows down others', () => {
	test('one 409 does not slow down the other creates of the account', async () => {
		const prompts = numbered(30);
		const body = { error: { code: 'idempotency_key_in_use', message: 'In use.' } };
		simulator.script({ on: 'create', prompt: 'number 0', fault: status(409, body) });
		const options = { maxConcurrentTasks: 100, maxNewTasks: 100 };
		const more = { waitForCompletion: false, options };
		await run(prompts, { more, settings: CONTINUE });
		const [refused, ...others] = prompts.map((prompt) => createsOf(prompt).map(({ at }) => at));
		expect(new Set(others.flat()).size).toBe(1);
		expect([refused, ...others].map((all) => all?.length)).toEqual(prompts.map(() => 1));
	});

	test('Get Task on an old task does not end the pause of a create', async () => {
		const { id } = simulator.addTask({ immediate: true });
		const parameters = { operation: 'getTask', taskId: id, waitForCompletion: true };
		/** How often a create is sent while the service refuses all for two minutes. */
		async function createsWhileFull(isReading: boolean): Promise<number> {
			const process = newProcess();
			const endsAt = clock.now() + 120_000;
			simulator.script({ on: 'create', times: Infinity, untilMs: endsAt, fault: status(429) });
			const sentBefore = simulator.creates().length;
			const waiting = run(['one'], { process });
			while (clock.now() < endsAt) {
				if (isReading) await engine.runNode({ parameters, process });
				await clock.sleep(1_000);
			}
			await waiting;
			return simulator.creates().length - sentBefore;
		}
		const alone = await createsWhileFull(false);
		const beside = await createsWhileFull(true);
		expect(alone).toBeGreaterThan(1);
		expect(beside).toBe(alone);
	});
});
