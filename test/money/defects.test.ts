/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
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
const {
	simulator,
	clock,
	newProcess,
	startClick,
	run,
	click,
	runNode,
	tasksOf,
	taskOf,
	createsOf,
} = useEngine();

describe('defect 1: items with equal JSON, whose prompts come from elsewhere', () => {
	const ROWS = ['fox', 'owl', 'bee'];
	const rows = async (given: Given = {}): Promise<RunResult> =>
		await run(['ok', 'ok', 'ok'], {
			more: { prompt: `={{ ${JSON.stringify(ROWS)}[$itemIndex] }}` },
			...given,
		});

	test.each([
		[503, 'Retry On Fail tries again'],
		[402, 'Retry On Fail tries again'],
		[503, 'a person presses Retry'],
		[402, 'a person presses Retry'],
	])(
		'have one task each, and their own videos, when the first create is answered %d and %s',
		async (code, who) => {
			const process = newProcess();
			simulator.script({ on: 'create', fault: status(code) });
			const settings = who.startsWith('Retry') ? tries(2) : {};
			let result = await rows({ process, settings });
			if (result.status === 'error') result = await rows({ process, retryOf: result });
			expect(ROWS.map((prompt) => tasksOf(prompt).length)).toEqual([1, 1, 1]);
			expect(idsOf(result)).toEqual(ROWS.map((prompt) => taskOf(prompt).id));
		},
	);
});

describe('defect 2: kept orders that cannot be read', () => {
	/** As another version of the node may have written it. */
	function withUnreadableEntry(result: RunResult): RunResult {
		const contextData: IDataObject = JSON.parse(
			memoryOf(result).replace(/"version":\d+/, '"version":"another"'),
		);
		expect(JSON.stringify(contextData)).toContain('another');
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
		expect(errorIn(second) ?? errorOf(second).context).toMatchObject({ kind: 'noAnswer' });
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
		expect(hintsOf(result)).toContain('warning');
		expect(hintsOf(result)).not.toMatch(/not (?:made|created|generated)|no video/i);
	});
});

describe('defect 6: a changed key in Options', () => {
	const take = async (text: string) =>
		await click(['one'], { more: { options: { idempotencyKey: text } } });

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
	test.each([
		[false, 'stops', {}],
		[true, 'stops', {}],
		[true, 'continues', CONTINUE],
	])(
		"is sent once, and a person's Retry brings its video, with sending again set to %s, by a node that %s on errors",
		async (resendAfterNoReply, _what, onError) => {
			simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
			const given = {
				more: { options: { resendAfterNoReply } },
				settings: { ...tries(3), ...onError },
			};
			const first = await run(['one'], given);
			const { id } = taskOf('one');
			expect(createsOf('one')).toHaveLength(1);
			const error = errorIn(first) ?? errorOf(first).context;
			expect(error).toMatchObject({ kind: 'noAnswer', taskId: id });
			const second = await run(['one'], { ...given, retryOf: first });
			expect(second.output[0]?.json).toMatchObject({ id, status: 'completed' });
			expect(createsOf('one')).toHaveLength(1);
		},
	);

	test.each([400, 404, 429, 501])('so does one that says %d', async (code) => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: code } });
		const first = await run(['one'], { settings: tries(3) });
		expect(kindOf(first)).toBe('noAnswer');
		expect(idsOf(await run(['one'], { retryOf: first }))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});

	test('the next click in the editor brings it, too', async () => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		await click(['one']);
		expect(idsOf(await click(['one']))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});
});

describe('defect 8: the limit counts tasks, and not requests', () => {
	test('two items with a limit of two, of which one got no answer, never end with the limit', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: RESET });
		const more = { options: { maxNewTasks: 2, resendAfterNoReply: true } };
		const first = await run(['one', 'two'], { more, settings: tries(3) });
		expect(kindOf(first)).toBe('noAnswer');
		const second = await run(['one', 'two'], { more, settings: tries(3), retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('one').id, taskOf('two').id]);
	});

	test('two items with a limit of two, of which one was refused at first, have both tasks', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(503) });
		const more = { options: { maxNewTasks: 2 } };
		const result = await run(['one', 'two'], { more, settings: tries(3) });
		expect(idsOf(result)).toEqual([taskOf('one').id, taskOf('two').id]);
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
		const stopped = startClick(['one'], {
			binaries: [{ data }],
			more: { operation: 'createImageVideo', imageSource: 'binary' },
		});
		await reading;
		stopped.cancel();
		await stopped.result;
		await stopped.isOver();
		expect(simulator.requests).toHaveLength(0);
	}, 10_000);
});

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
		/** How often a create is sent while the service refuses all for two minutes. */
		async function createsWhileFull(
			meanwhile: (process: Given['process']) => Promise<unknown>,
		): Promise<number> {
			const process = newProcess();
			const endsAt = clock.now() + 120_000;
			const fault = status(429);
			simulator.script({ on: 'create', times: Infinity, untilMs: endsAt, fault });
			const sentBefore = simulator.creates().length;
			const waiting = run(['one'], { process });
			while (clock.now() < endsAt) {
				await meanwhile(process);
				await clock.sleep(1_000);
			}
			await waiting;
			return simulator.creates().length - sentBefore;
		}
		const { id } = simulator.addTask({ status: 'completed' });
		const parameters = { operation: 'getTask', taskId: id, waitForCompletion: true };
		const alone = await createsWhileFull(async () => await Promise.resolve());
		const beside = await createsWhileFull(
			async (process) => await runNode({ parameters, process }),
		);
		expect(alone).toBeGreaterThan(1);
		expect(beside).toBe(alone);
	});
});
