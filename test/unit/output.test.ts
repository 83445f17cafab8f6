import type { DownloadResult } from '../../nodes/Videogen/files/download';
import {
	hasResults,
	isCutShort,
	outputItem,
	recordOf,
	resultOf,
} from '../../nodes/Videogen/run/output';
import type { Entry, Outcome, WaitSettings } from '../../nodes/Videogen/work/entry';
import { WAITING, taskOf } from '../programs/support/entries';

const VIDEO = 'https://e.com/fox.mp4';
const request = { model: 'model', prompt: 'A fox', duration: 5, quality: '720p' } as const;
const error = { code: 'capacity', message: 'Busy' };
const more = { progress: 40, results: [VIDEO], model: 'videogen', created: 7, error };
const [underWay, completed, failed] = ['processing', 'completed', 'failed'].map((status) =>
	taskOf('task_1', status, more),
);

const entry = (given: Partial<Entry>): Entry => ({ item: 0, wishes: [], request, ...given });
const ended = (kind: 'done' | 'failed' | 'timedOut' | 'stopped' | 'notStarted') =>
	({ kind }) satisfies Outcome;
const file = { data: 'x', mimeType: 'video/mp4' };
const missing: DownloadResult = { kind: 'notDownloaded', error: { kind: 'stopped' } };
const tooLarge: DownloadResult = { kind: 'notDownloaded', error: { kind: 'tooLarge' } };

test.each<[Partial<Entry>, boolean]>([
	[{ outcome: ended('done'), task: completed }, true],
	[{ outcome: ended('done'), task: underWay }, false],
	[{ outcome: ended('timedOut'), task: completed }, false],
	[{ outcome: ended('done') }, false],
	[{ task: completed }, false],
])('of %j, there are results: %j', (given, expected) => {
	expect(hasResults(entry(given))).toBe(expected);
});

describe('the record that goes out', () => {
	const common = { id: 'task_1', videoUrl: VIDEO, results: [VIDEO] };
	const asked = { prompt: 'A fox', duration: 5, quality: '720p' };
	test.each([
		[underWay, { ...common, status: 'processing', progress: 40 }],
		[completed, { ...common, status: 'completed' }],
		[failed, { ...common, status: 'failed', error }],
	])('is simple: %j', (task, simple) => {
		const all = { ...simple, ...asked, model: 'videogen' };
		expect(recordOf(entry({ task, simplify: true }))).toEqual(all);
		expect(recordOf(entry({ task }))).toEqual(task?.record);
	});

	test('has the first of several results as its video', () => {
		const results = [VIDEO, 'https://e.com/last-frame.png'];
		const task = taskOf('task_1', 'completed', { results });
		expect(recordOf(entry({ task, simplify: true }))).toMatchObject({ videoUrl: VIDEO, results });
	});

	test('has only what there is, also of a task that was only read', () => {
		const task = taskOf('task_1', 'completed');
		const read = entry({ task, request: undefined, simplify: true });
		expect(Object.entries(recordOf(read))).toEqual([
			['id', 'task_1'],
			['status', 'completed'],
		]);
		expect(recordOf(entry({}))).toEqual({});
		expect(recordOf(entry({ simplify: true }))).toEqual(asked);
	});
});

describe('what an item becomes', () => {
	const download = { binaryProperty: 'data' };
	const json = completed?.record;
	test.each<[string, Partial<Entry>, DownloadResult | undefined, object]>([
		['without files', { task: completed }, undefined, { json }],
		['with none to be had', { task: completed, download }, { kind: 'files', files: [] }, { json }],
		[
			'with files nobody asked for',
			{ task: completed },
			{ kind: 'files', files: [file] },
			{ json },
		],
		[
			'with two files',
			{ task: completed, download },
			{ kind: 'files', files: [file, file] },
			{ json, binary: { data: file, data_1: file } },
		],
	])('%s', (_what, given, downloaded, expected) => {
		expect(resultOf(entry({ outcome: ended('done'), ...given }), downloaded)).toEqual(expected);
	});

	const returns: WaitSettings = { ...WAITING, onTimeout: 'returnTask', onFailure: 'returnTask' };
	test.each<[ReturnType<typeof ended>['kind'], Partial<WaitSettings>, boolean]>([
		['failed', {}, true],
		['failed', { onFailure: 'error' }, false],
		['timedOut', {}, true],
		['timedOut', { onTimeout: 'error' }, false],
		['stopped', {}, false],
	])('%s with %j: the task is returned: %j', (kind, wait, isReturned) => {
		const late = entry({ outcome: ended(kind), task: underWay, wait: { ...returns, ...wait } });
		const result = resultOf(late);
		if (isReturned) expect(result).toEqual({ json: underWay?.record });
		else expect(result).toMatchObject({ error: { taskId: 'task_1', status: 'processing' } });
	});

	test.each<Partial<Entry>>([
		{ outcome: ended('timedOut'), wait: returns },
		{ outcome: ended('timedOut') },
		{ outcome: ended('done') },
		{},
	])('of %j, with no task, is an error that names none', (given) => {
		const result = resultOf(entry(given));
		expect('error' in result && Object.keys(result.error)).toEqual([
			...['message', 'description', 'kind'],
		]);
	});

	test('of a download that failed is an error with all that is known', () => {
		const result = resultOf(entry({ outcome: ended('done'), task: completed, download }), tooLarge);
		expect(result).toMatchObject({ error: { taskId: 'task_1', status: 'completed', task: json } });
	});
});

test.each<[Outcome | undefined, DownloadResult | undefined, boolean]>([
	[ended('stopped'), undefined, true],
	[ended('notStarted'), undefined, true],
	[ended('done'), missing, true],
	[ended('done'), tooLarge, false],
	[ended('done'), { kind: 'files', files: [] }, false],
	[ended('failed'), undefined, false],
	[undefined, undefined, false],
])('%j with the files %j only ended because the run did: %j', (outcome, downloaded, expected) => {
	expect(isCutShort(entry({ outcome }), downloaded)).toBe(expected);
});

test('an output item is paired, and an error stands alone in it', () => {
	const json = { id: 'task_1' };
	expect(outputItem({ json }, 3)).toEqual({ json, pairedItem: { item: 3 } });
	const binary = { data: file };
	expect(outputItem({ json, binary }, 0)).toEqual({ json, binary, pairedItem: { item: 0 } });
	const text = { kind: 'refused' as const, message: 'No', description: 'why' };
	expect(outputItem({ error: text }, 1)).toEqual({
		json: { error: text },
		pairedItem: { item: 1 },
	});
});
