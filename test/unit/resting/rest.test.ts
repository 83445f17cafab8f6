import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { platformClock } from '../../../nodes/Videogen/common/timer';
import type { ItemState } from '../../../nodes/Videogen/items/result';
import { interruptedRest, rest, REST_KEY } from '../../../nodes/Videogen/resting/rest';

/** What stands in the node's context; changing a name in it strands executions that rest. */
const golden: IDataObject = JSON.parse(readFileSync(join(__dirname, 'savedRest.json'), 'utf8'));

const clock = { ...platformClock, date: () => 1_700_000_000_000 };

const task = (id: string, state: 'unfinished' | 'completed' = 'unfinished') => ({
	id,
	status: state,
	state,
	record: { id, status: state },
});

const WAIT = {
	plan: { intervalMs: 5_000, timeoutMs: 600_000 },
	method: 'callback',
	onTimeout: 'error',
	onFailure: 'error',
} as const;

const left = (id: string, more: Partial<ItemState['plan']> = {}): ItemState => ({
	plan: { intent: { kind: 'read', taskId: id }, wait: WAIT, download: undefined, ...more },
	outcome: { kind: 'timedOut', taskId: id, task: task(id) },
	result: { error: { message: 'late', description: '' } },
});

/** n8n as a node sees it in one execution; the context is saved with it, as JSON. */
function n8nWith(items: IDataObject[], executionId: string, nodeContext: IDataObject = {}) {
	const inputs: INodeExecutionData[] = items.map((json) => ({ json }));
	const until: Date[] = [];
	return {
		inputs,
		until,
		getContext: () => nodeContext,
		getExecutionId: () => executionId,
		getInputData: () => inputs,
		putExecutionToWait: async (date: Date) => await Promise.resolve(void until.push(date)),
	};
}

const saved = (context: { getContext(): IDataObject }): IDataObject =>
	JSON.parse(JSON.stringify(context.getContext()));

describe('going to rest', () => {
	test('makes of each input item what it is to be when nobody calls', async () => {
		const n8n = n8nWith([{ prompt: 'one' }, { prompt: 'bad' }], '1');
		const bad = { result: { error: { message: 'refused', description: '' } } };
		expect(await rest(n8n, [left('task-1'), bad], { clock, runIndex: 0 })).toEqual([
			{ json: { id: 'task-1', status: 'unfinished' }, pairedItem: { item: 0 } },
		]);
		expect(n8n.inputs.map(({ json }) => json.error)).toEqual([
			{
				message: 'No callback came in time for task task-1 (status before: unfinished)',
				description: expect.stringContaining('Use Get Task with ID task-1'),
				taskId: 'task-1',
				status: 'unfinished',
				task: { id: 'task-1', status: 'unfinished' },
			},
			bad.result.error,
		]);
		expect(n8n.until).toEqual([new Date(clock.date() + 610_000)]);
	});

	test('returns the task instead where the person wants it', async () => {
		const n8n = n8nWith([{}], '1');
		await rest(n8n, [left('task-1', { wait: { ...WAIT, onTimeout: 'returnTask' } })], {
			clock,
			runIndex: 0,
		});
		expect(n8n.inputs).toMatchObject([{ json: { id: 'task-1', status: 'unfinished' } }]);
	});

	test('leaves a file that is wanted to the callback as well', async () => {
		const n8n = n8nWith([{}, {}], '1');
		const done = left('task-2', { download: { binaryProperty: 'data' } });
		done.outcome = { kind: 'done', task: task('task-2', 'completed') };
		await rest(n8n, [left('task-1'), done], { clock, runIndex: 0 });
		expect(saved(n8n)[REST_KEY]).toMatchObject({
			items: [{ taskId: 'task-1' }, { taskId: 'task-2', download: { binaryProperty: 'data' } }],
		});
	});

	test('puts out no error meanwhile, for which n8n would run the node again', async () => {
		const n8n = n8nWith([{}, {}], '1');
		const odd = left('task-1');
		const record = { id: 'task-1', status: 'unfinished', error: { code: 'none' } };
		odd.outcome = { kind: 'timedOut', taskId: 'task-1', task: { ...task('task-1'), record } };
		const bad = { result: { error: { message: 'refused', description: '' } } };
		const output = await rest(n8n, [bad, odd], { clock, runIndex: 0 });
		expect(output?.map(({ json }) => json.error)).toEqual([undefined]);
		expect(output?.[0]?.pairedItem).toEqual({ item: 1 });
	});

	test('saves what executions that rest over an update of the node must find again', async () => {
		const n8n = n8nWith([{ prompt: 'one' }, { prompt: 'bad' }], '42');
		const bad = { result: { error: { message: 'refused', description: 'why' } } };
		await rest(n8n, [left('task-1', { download: { binaryProperty: 'data' } }), bad], {
			clock,
			runIndex: 0,
		});
		expect(saved(n8n)).toEqual(golden);
		const inputs = [{ id: 'task-1', status: 'completed' }, { error: { message: 'refused' } }];
		expect(interruptedRest(n8nWith(inputs, '43', structuredClone(golden)), 0)).toMatchObject([
			{
				plan: {
					intent: { kind: 'read', taskId: 'task-1' },
					wait: WAIT,
					download: { binaryProperty: 'data' },
				},
			},
			bad,
		]);
	});

	test('is not needed when no task is unfinished', async () => {
		const n8n = n8nWith([{}], '1');
		const done: ItemState = { outcome: { kind: 'done', task: task('task-1', 'completed') } };
		expect(await rest(n8n, [done], { clock, runIndex: 0 })).toBeUndefined();
		expect([n8n.until, saved(n8n)]).toEqual([[], {}]);
	});
});

describe('a retry', () => {
	const rested = async () => {
		const n8n = n8nWith([{ prompt: 'one' }], '1');
		await rest(n8n, [left('task-1')], { clock, runIndex: 0 });
		return n8n;
	};
	const inputsOf = ({ inputs }: { inputs: INodeExecutionData[] }) => inputs.map(({ json }) => json);

	test.each<[string, (items: IDataObject[]) => IDataObject[]]>([
		['the rest had prepared', (items) => items],
		['the callback had brought', () => [{ id: 'task-1', status: 'completed' }]],
	])('goes on from what %s, on every try', async (_what, outputOf) => {
		const first = await rested();
		const inputs = outputOf(inputsOf(first));
		const retried = n8nWith(inputs, '2', saved(first));
		expect(interruptedRest(retried, 0)).toMatchObject([
			{ plan: { intent: { kind: 'read', taskId: 'task-1' }, wait: WAIT } },
		]);
		expect(interruptedRest(retried, 0)).toHaveLength(1);
		expect(interruptedRest(n8nWith(inputs, '3', saved(retried)), 0)).toHaveLength(1);
	});

	test.each<[string, number, (items: IDataObject[]) => IDataObject[]]>([
		['another round of a loop', 1, (items) => items],
		['items of other tasks', 0, () => [{ id: 'task-2', status: 'completed' }]],
		['the items from before the rest', 0, () => [{ prompt: 'one' }]],
		['more items', 0, (items) => [...items, {}]],
		['no items', 0, () => []],
	])('takes %s for a new run', async (_what, runIndex, changed) => {
		const first = await rested();
		const again = n8nWith(changed(inputsOf(first)), '2', saved(first));
		expect(interruptedRest(again, runIndex)).toBeUndefined();
	});

	test('is a new run when nothing rested', () => {
		expect(interruptedRest(n8nWith([{}], '2', { [REST_KEY]: { items: 'x' } }), 0)).toBeUndefined();
	});
});
