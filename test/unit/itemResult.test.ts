import type { IBinaryData } from 'n8n-workflow';
import type { DownloadResult } from '../../nodes/Videogen/downloads/download';
import type { WaitEnding, WaitSettings } from '../../nodes/Videogen/parameters/wait';
import { hasResults, outputItem, resultOf, taskFacts } from '../../nodes/Videogen/items/result';
import type { Recovery } from '../../nodes/Videogen/messages/message';
import type { Outcome } from '../../nodes/Videogen/tasks/job';
import { completedTask } from '../support/downloadScene';

const task = completedTask(['https://e.com/1.mp4'], 'task_1');
const done: Outcome = { kind: 'done', task };
const failed: Outcome = { kind: 'failed', task };
const timedOut: Outcome = { kind: 'timedOut', taskId: 'task_1', task };
const unseen: Outcome = { kind: 'timedOut', taskId: 'task_1' };
const file: IBinaryData = { data: 'id', mimeType: 'video/mp4' };
const download = { binaryProperty: 'video' };
const recovery: Recovery = 'retry';

const waiting = (onTimeout: WaitEnding, onFailure: WaitEnding): WaitSettings => ({
	plan: { intervalMs: 5_000, timeoutMs: 60_000 },
	onTimeout,
	onFailure,
});

describe('an item whose task is completed', () => {
	const delivered: DownloadResult = { kind: 'files', files: [file, file, file] };

	test('has the files under numbered names beside the record', () => {
		expect(resultOf(done, delivered, { wait: undefined, download, recovery })).toEqual({
			json: task.record,
			binary: { video: file, video_1: file, video_2: file },
		});
	});

	test('has no files when it asked for none, or none were fetched', () => {
		const json = task.record;
		expect(resultOf(done, delivered, { wait: undefined, download: undefined, recovery })).toEqual({
			json,
		});
		expect(resultOf(done, undefined, { wait: undefined, download, recovery })).toEqual({ json });
	});

	test('is an error with the whole task when its files could not be fetched', () => {
		const delivery: DownloadResult = { kind: 'notDownloaded', error: { kind: 'empty' } };
		expect(resultOf(done, delivery, { wait: undefined, download, recovery })).toEqual({
			error: {
				message: expect.stringContaining('task_1'),
				description: expect.stringContaining('https://e.com/1.mp4'),
				taskId: 'task_1',
				status: 'completed',
				task: task.record,
			},
		});
	});
});

describe('an item whose task did not complete', () => {
	test.each<[string, Outcome, WaitSettings | undefined, boolean]>([
		['failed, for an error', failed, waiting('returnTask', 'error'), false],
		['failed, for the task', failed, waiting('error', 'returnTask'), true],
		['timed out, for an error', timedOut, waiting('error', 'returnTask'), false],
		['timed out, for the task', timedOut, waiting('returnTask', 'error'), true],
		['timed out, for a task that was not seen', unseen, waiting('returnTask', 'error'), false],
		['failed without waiting', failed, undefined, false],
	])('%s', (_what, outcome, wait, isReturned) => {
		const result = resultOf(outcome, undefined, { wait, download: undefined, recovery });
		if (isReturned) expect(result).toEqual({ json: task.record });
		else expect(result).toMatchObject({ error: { taskId: 'task_1' } });
	});

	test('names what is known of its task, and nothing else', () => {
		const expected = { wait: undefined, download: undefined, recovery };
		const known = resultOf(timedOut, undefined, expected);
		const unknown = resultOf(unseen, undefined, expected);
		const none = resultOf({ kind: 'notStarted' }, undefined, expected);
		const keysOf = (result: object) =>
			'error' in result && typeof result.error === 'object' && result.error
				? Object.keys(result.error)
				: [];
		expect(keysOf(known)).toEqual(['message', 'description', 'taskId', 'status', 'task']);
		expect(keysOf(unknown)).toEqual(['message', 'description', 'taskId']);
		expect(keysOf(none)).toEqual(['message', 'description']);
	});
});

test('only a completed task has results', () => {
	const unfinished = { ...task, state: 'unfinished' } as const;
	expect(hasResults(done)).toBe(true);
	expect(hasResults({ kind: 'done', task: unfinished })).toBe(false);
	expect(hasResults(failed)).toBe(false);
});

test.each<[Outcome, string | undefined, boolean]>([
	[done, 'task_1', true],
	[unseen, 'task_1', false],
	[{ kind: 'notStarted' }, undefined, false],
])('what is known of a task after %j', (outcome, taskId, isSeen) => {
	expect(taskFacts(outcome)).toEqual({ taskId, task: isSeen ? task : undefined });
});

describe('an output item', () => {
	test('is paired with its input, and a copy of the record', () => {
		const item = outputItem({ json: task.record }, 3);
		expect(item).toEqual({ json: task.record, pairedItem: { item: 3 } });
		expect(item.json).not.toBe(task.record);
	});

	test('carries its files', () => {
		const item = outputItem({ json: task.record, binary: { video: file } }, 0);
		expect(item.binary).toEqual({ video: file });
	});

	test('has only its error when it has one', () => {
		const error = { message: 'No', description: 'Why.' };
		expect(outputItem({ error }, 0)).toEqual({ json: { error }, pairedItem: { item: 0 } });
	});
});
