import type { IBinaryData } from 'n8n-workflow';
import { faultOf, hasLinkOf, outputOf, recordOf } from '../../../nodes/Videogen/run/output';
import {
	type Fault,
	fail,
	type Item,
	type State,
	type WaitEnding,
} from '../../../nodes/Videogen/work/order';
import { createItem, runningAs, taskOf, WAIT } from '../../programs/support/orders';

const VIDEO = 'https://e.com/fox.mp4';
const error = { code: 'capacity', message: 'Busy' };
const more = { progress: 40, results: [VIDEO], model: 'videogen', created: 7, error };
const underWay = taskOf('task_1', 'processing', more);
const completed = taskOf('task_1', 'completed', more);
const failed = taskOf('task_1', 'failed', more);
const file: IBinaryData = { data: 'x', mimeType: 'video/mp4' };

const fault: Fault = { kind: 'download', message: 'No file', description: 'Why.' };
const late: Fault = { ...fault, kind: 'timeout' };
const taskId = 'task_1';
const completedAs = (task = completed): State => ({ is: 'completed', taskId, task });
const failedAs: State = { is: 'failed', taskId, task: failed, hadVideo: false };
const errorAs = (its: Fault, task = underWay): State => ({ is: 'error', fault: its, taskId, task });

function itemIn(state: State, its: Partial<Item> = {}): Item {
	const item = { ...createItem('A fox'), ...its };
	const request = { model: 'model', prompt: 'A fox', duration: 5, quality: '720p' } as const;
	Object.assign(item.order, { state, request });
	return item;
}

describe('the record that goes out', () => {
	const common = { id: 'task_1', videoUrl: VIDEO, results: [VIDEO] };
	const asked = { prompt: 'A fox', duration: 5, quality: '720p', model: 'videogen' };

	test.each<[State, object]>([
		[runningAs(underWay), { ...common, status: 'processing', progress: 40, ...asked }],
		[completedAs(), { ...common, status: 'completed', ...asked }],
		[failedAs, { ...common, status: 'failed', ...asked, error }],
	])('is simple, or as it was received: %j', (state, simple) => {
		expect(recordOf(itemIn(state, { simplify: true }))).toEqual(simple);
		expect(recordOf(itemIn(state))).toEqual('task' in state && state.task?.record);
	});

	test('has the first of several results as its video', () => {
		const results = [VIDEO, 'https://e.com/last-frame.png'];
		const state = completedAs(taskOf('task_1', 'completed', { results }));
		const record = recordOf(itemIn(state, { simplify: true }));
		expect(record).toMatchObject({ videoUrl: VIDEO, results });
	});
});

describe('what an item becomes', () => {
	const download = { binaryProperty: 'data' };
	const json = completed.record;

	test.each<[string, Partial<Item>, object]>([
		['without files', {}, { json }],
		['with none to be had', { download, files: [] }, { json }],
		['with files nobody asked for', { files: [file] }, { json }],
		[
			'with two files',
			{ download, files: [file, file] },
			{ json, binary: { data: file, data_1: file } },
		],
	])('%s is paired with its input', (_what, its, expected) => {
		const output = outputOf(itemIn(completedAs(), { ...its, index: 3 }));
		expect(output).toEqual({ ...expected, pairedItem: { item: 3 } });
	});

	test('that shares an order goes out with what that has come to, and its own place', () => {
		const sharedWith = itemIn(completedAs(), { download, files: [file] });
		const output = outputOf({ ...createItem('A fox'), index: 4, sharedWith });
		expect(output).toEqual({ json, binary: { data: file }, pairedItem: { item: 4 } });
	});

	const { order } = itemIn(errorAs(fault));
	test.each<[string, State, its: Partial<Item>, known: object]>([
		['no task', { is: 'error', fault }, {}, {}],
		['a task that may exist', { is: 'error', fault }, { order: withNamed() }, { taskId: 'task_7' }],
		['an id alone', { is: 'error', fault, taskId }, {}, { taskId }],
		[
			'the task of the order before',
			{ is: 'error', fault },
			{ ended: order },
			{ taskId, status: 'processing', task: underWay.record },
		],
	])('with an error tells of %s', (_what, state, its, known) => {
		const { json: out } = outputOf(itemIn(state, its));
		expect(out).toEqual({ error: { ...fault, ...known } });
	});

	test('with an error that only the end of the run brought does not say so', () => {
		const { json: out } = outputOf(itemIn(errorAs({ ...fault, isCutShort: true })));
		expect(out.error).not.toHaveProperty('isCutShort');
	});
});

function withNamed() {
	const { order } = createItem('A fox');
	order.mayExist = { taskId: 'task_7' };
	return order;
}

describe('what counts as a fault', () => {
	const returning = (endings: Partial<Record<'onTimeout' | 'onFailure', WaitEnding>>) => ({
		wait: { ...WAIT, ...endings },
	});

	test.each<[string, State, its: Partial<Item>, kind: string | undefined]>([
		['a new order', { is: 'new' }, {}, 'stopped'],
		['a running task that is waited for', runningAs(underWay), {}, 'timeout'],
		['a running task', runningAs(underWay), { wait: undefined }, undefined],
		['a completed one', completedAs(), {}, undefined],
		['a failed one', failedAs, {}, 'failed'],
		['a failed one for which nobody waits', failedAs, { wait: undefined }, undefined],
		['a failed one, returned', failedAs, returning({ onFailure: 'returnTask' }), undefined],
		[
			'a failed one, late ones returned',
			failedAs,
			returning({ onTimeout: 'returnTask' }),
			'failed',
		],
		['a late one', errorAs(late), {}, 'timeout'],
		['a late one, returned', errorAs(late), returning({ onTimeout: 'returnTask' }), undefined],
		[
			'a late one, failed ones returned',
			errorAs(late),
			returning({ onFailure: 'returnTask' }),
			'timeout',
		],
		[
			'a stopped one',
			errorAs({ ...late, isCutShort: true }),
			returning({ onTimeout: 'returnTask' }),
			'timeout',
		],
		[
			'a late one without a record',
			{ is: 'error', fault: late, taskId },
			returning({ onTimeout: 'returnTask' }),
			'timeout',
		],
		['another error', errorAs(fault), returning({ onTimeout: 'returnTask' }), 'download'],
	])('%s', (_what, state, its, kind) => {
		expect(faultOf(itemIn(state, its))?.kind).toBe(kind);
	});

	test('only a completed task has come to a video', () => {
		expect(hasLinkOf(itemIn(completedAs()))).toBe(true);
		expect(hasLinkOf(itemIn(failedAs))).toBe(false);
		const shared = { ...createItem('A fox'), sharedWith: itemIn(completedAs()) };
		expect(hasLinkOf(shared)).toBe(true);
	});
});

test('an order that ends in an error keeps what is known of its task', () => {
	const { order } = itemIn(completedAs());
	fail(order, fault);
	expect(order.state).toEqual({ is: 'error', fault, taskId, task: completed });
});
