import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { platformClock } from '../../../nodes/Videogen/common/timer';
import type { ItemState } from '../../../nodes/Videogen/items/result';
import { interruptedRest, rest, REST_KEY } from '../../../nodes/Videogen/resting/rest';

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
		expect(await rest(n8n, [left('task-1'), bad], clock)).toBe(true);
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
		expect(n8n.until).toEqual([new Date(clock.date() + 600_000)]);
	});

	test('returns the task instead where the person wants it', async () => {
		const n8n = n8nWith([{}], '1');
		await rest(n8n, [left('task-1', { wait: { ...WAIT, onTimeout: 'returnTask' } })], clock);
		expect(n8n.inputs).toMatchObject([{ json: { id: 'task-1', status: 'unfinished' } }]);
	});

	test('leaves a file that is wanted to the callback as well', async () => {
		const n8n = n8nWith([{}, {}], '1');
		const done = left('task-2', { download: { binaryProperty: 'data' } });
		done.outcome = { kind: 'done', task: task('task-2', 'completed') };
		await rest(n8n, [left('task-1'), done], clock);
		expect(saved(n8n)[REST_KEY]).toMatchObject({
			items: [{ taskId: 'task-1' }, { taskId: 'task-2', download: { binaryProperty: 'data' } }],
		});
	});

	test('is not needed when no task is unfinished', async () => {
		const n8n = n8nWith([{}], '1');
		const done: ItemState = { outcome: { kind: 'done', task: task('task-1', 'completed') } };
		expect(await rest(n8n, [done], clock)).toBe(false);
		expect([n8n.until, saved(n8n)]).toEqual([[], {}]);
	});
});

describe('a retry', () => {
	const rested = async () => {
		const n8n = n8nWith([{ prompt: 'one' }], '1');
		await rest(n8n, [left('task-1')], clock);
		return n8n;
	};
	const inputsOf = ({ inputs }: { inputs: INodeExecutionData[] }) => inputs.map(({ json }) => json);

	test('goes on from a rest that crashed, once in an execution', async () => {
		const first = await rested();
		const retried = n8nWith(inputsOf(first), '2', saved(first));
		expect(interruptedRest(retried)).toMatchObject([
			{ plan: { intent: { kind: 'read', taskId: 'task-1' }, wait: WAIT } },
		]);
		expect(interruptedRest(retried)).toBeUndefined();
		expect(interruptedRest(n8nWith(inputsOf(first), '3', saved(retried)))).toHaveLength(1);
	});

	test.each([
		['the same execution', '1', (items: IDataObject[]) => items],
		['other items', '2', (items: IDataObject[]) => items.map((json) => ({ ...json, round: 2 }))],
		['more items', '2', (items: IDataObject[]) => [...items, {}]],
	])('takes %s for a new run, whatever task it names', async (_what, executionId, changed) => {
		const first = await rested();
		const again = n8nWith(changed(inputsOf(first)), executionId, saved(first));
		expect(interruptedRest(again)).toBeUndefined();
	});

	test('is a new run when nothing rested', () => {
		expect(interruptedRest(n8nWith([{}], '2', { [REST_KEY]: { items: 'x' } }))).toBeUndefined();
	});
});
