import { Readable } from 'node:stream';
import { setTimeout as realSleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { useBinaryStorage } from '../support/binaryStorage';
import { errorOf, type RunResult } from '../support/engine';
import { samplePng } from '../../tools/simulator/sampleFiles';
import {
	CONTINUE,
	type Given,
	hintsOf,
	idsOf,
	memoryOf,
	status,
	tries,
	useEngine,
} from '../support/useEngine';

/**
 * Defects that people met, each with the number of its report. What the service counts decides, and
 * facts in errors. Those of downloads stand in `engine/downloadDefects.test.ts`,
 * that of the credential test in `unit/credentialTest.test.ts`.
 */
const storage = useBinaryStorage();
const { simulator, clock, newProcess, start, run, runNode, tasksOf, taskOf, createsOf } =
	useEngine();

const KEY_OPTION = 'idempotencyKey';

/** The clicks of a test are all in one n8n process, each an execution of its own. */
let process: ReturnType<typeof newProcess>;
beforeEach(() => (process = newProcess()));
const click = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
	await run(prompts, { mode: 'manual', process, ...given });

const kindOf = (result: RunResult): unknown => errorOf(result).context.kind;
const errorIn = ({ output }: RunResult, item = 0): unknown => output[item]?.json.error;

describe('defect 1: items with equal JSON, whose prompts come from another node', () => {
	const ROWS = ['fox', 'owl', 'bee'];
	const rows = async (given: Partial<Parameters<typeof runNode>[0]> = {}): Promise<RunResult> =>
		await runNode({
			parameters: {
				operation: 'createTextVideo',
				prompt: "={{ $('Sheet').item.json.prompt }}",
			},
			items: ROWS.map(() => ({ ok: true })),
			sheet: ROWS.map((prompt) => ({ prompt })),
			process,
			...given,
		});
	const expectOwnVideos = (result: RunResult) => {
		expect(ROWS.map((prompt) => tasksOf(prompt).length)).toEqual([1, 1, 1]);
		expect(idsOf(result)).toEqual(ROWS.map((prompt) => taskOf(prompt).id));
	};

	test.each([503, 402])(
		'have one task each, and their own videos, when the first create is answered %d and Retry On Fail tries again',
		async (code) => {
			simulator.script({ on: 'create', fault: status(code) });
			expectOwnVideos(await rows({ settings: tries(2) }));
		},
	);

	test.each([503, 402])('the same, answered %d, when a person presses Retry', async (code) => {
		simulator.script({ on: 'create', fault: status(code) });
		const first = await rows();
		expect(first.status).toBe('error');
		expectOwnVideos(await rows({ retryOf: first.data }));
	});
});

describe('defect 2: kept orders of which one cannot be read', () => {
	/** As another version of the node may have written it. */
	function withUnreadableEntry(result: RunResult): RunResult {
		const contextData: IDataObject = JSON.parse(
			memoryOf(result).replace(/"key":"[^"]+"/, '"key":{"of":"another version"}'),
		);
		expect(JSON.stringify(contextData)).toContain('another version');
		const data = structuredClone({ ...result.data, executionData: undefined });
		const executionData = { ...result.data.executionData, contextData };
		return { ...result, data: Object.assign(data, { executionData }) };
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
		const said = given.settings ? errorIn(second) : { ...errorOf(second), kind: kindOf(second) };
		expect(said).toMatchObject({
			kind: 'noAnswer',
			description: expect.stringContaining('Run the workflow again'),
		});
	});
});

describe('defect 3: a record over 8 kB', () => {
	test('of a task that failed for its content is not created again by Retry On Fail', async () => {
		const error = { code: 'content_policy_violation', message: 'No. '.repeat(4_000) };
		simulator.planTask({ outcome: 'failed', error, times: 3 });
		const result = await run(['one'], { settings: tries(3) });
		expect(tasksOf('one')).toHaveLength(1);
		expect(kindOf(result)).toBe('moderation');
	});
});

describe('defect 4: a hint about a video that may exist', () => {
	test('does not say that one was not made which is still under way', async () => {
		simulator.planTask({ outcome: 'never' });
		const more = { options: { timeoutMinutes: 1 } };
		const result = await run(['one'], { more, settings: CONTINUE });
		expect(errorIn(result)).toMatchObject({ kind: 'timeout', taskId: taskOf('one').id });
		expect(hintsOf(result)).toContain('1 of 1');
		expect(hintsOf(result)).not.toMatch(/not (?:made|created|generated)|no video/i);
	});
});

describe('defect 6: a changed key in Options', () => {
	const take = async (text: string) =>
		await click(['one'], { more: { options: { [KEY_OPTION]: text } } });

	test('creates another video in the editor, and each key keeps its own', async () => {
		const [one] = idsOf(await take('take-1'));
		const [two] = idsOf(await take('take-2'));
		expect(two).not.toBe(one);
		expect(tasksOf('one')).toHaveLength(2);
		expect(idsOf(await take('take-1'))).toEqual([one]);
		expect(idsOf(await take('take-2'))).toEqual([two]);
		expect(tasksOf('one')).toHaveLength(2);
	});
});

describe('defect 7: an answer that says 500 and names a task', () => {
	test.each([false, true])(
		"a person's Retry brings its video, with sending again set to %s",
		async (resendAfterNoReply) => {
			simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
			const more = { options: { resendAfterNoReply } };
			const first = await run(['one'], { more, settings: tries(2) });
			const { id } = taskOf('one');
			expect(errorOf(first).context).toMatchObject({ kind: 'noAnswer', taskId: id });
			const second = await run(['one'], { more, retryOf: first });
			expect(second.output[0]?.json).toMatchObject({ id, status: 'completed' });
			expect(createsOf('one')).toHaveLength(1);
		},
	);

	test('the next click in the editor brings it, too', async () => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		await click(['one']);
		expect(idsOf(await click(['one']))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});
});

describe('defect 8: the limit counts tasks, and not requests', () => {
	test('two items with a limit of two, of which one got no answer, never end with the limit', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: { kind: 'reset' } });
		const more = { options: { maxNewTasks: 2, resendAfterNoReply: true } };
		const first = await run(['one', 'two'], { more, settings: tries(3) });
		expect(kindOf(first)).toBe('noAnswer');
		const second = await run(['one', 'two'], { more, settings: tries(3), retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('one').id, taskOf('two').id]);
	});
});

describe('defect 9: Stop', () => {
	test('ends the node while a file is hashed whose stream stalls', async () => {
		const data = await storage.put(samplePng(), 'image/png', 'photo.png');
		const reading = new Promise<void>((resolve) =>
			jest.spyOn(Container.get(BinaryDataService), 'getAsStream').mockImplementation(async () => {
				resolve();
				return await Promise.resolve(new Readable({ read: () => undefined }));
			}),
		);
		let isOver = false;
		const { result, cancel } = start(['one'], {
			...{ mode: 'manual', process, binaries: [{ data }] },
			more: { operation: 'createImageVideo', imageSource: 'binary' },
			onNode: (work) => void work.catch(() => undefined).then(() => (isOver = true)),
		});
		await reading;
		cancel();
		await result;
		for (let turn = 0; turn < 20 && !isOver; turn += 1) await realSleep(50);
		expect(isOver).toBe(true);
		expect(simulator.requests).toHaveLength(0);
	});
});

describe('defect 10: two items with one key', () => {
	const twins = async (settings = {}) =>
		await run(['one', 'one'], {
			settings,
			more: { simplify: '={{ $itemIndex === 0 }}', options: { [KEY_OPTION]: 'row-1' } },
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
		const prompts = Array.from({ length: 30 }, (_, index) => `number ${index}`);
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
		/** How often a create is sent while the service refuses all for two minutes. */
		async function createsWhileFull(meanwhile: () => Promise<unknown>): Promise<number> {
			process = newProcess();
			const endsAt = clock.now() + 120_000;
			const fault = status(429);
			simulator.script({ on: 'create', times: Infinity, untilMs: endsAt, fault });
			const sentBefore = simulator.creates().length;
			const waiting = run(['one'], { process });
			while (clock.now() < endsAt) {
				await meanwhile();
				await clock.sleep(1_000, new AbortController().signal);
			}
			await waiting;
			return simulator.creates().length - sentBefore;
		}
		const { id } = simulator.addTask({ status: 'completed' });
		const parameters = { operation: 'getTask', taskId: id, waitForCompletion: true };
		const alone = await createsWhileFull(async () => await Promise.resolve());
		const beside = await createsWhileFull(async () => await runNode({ parameters, process }));
		expect(alone).toBeGreaterThan(1);
		expect(beside).toBe(alone);
	});
});
