import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { platformClock } from '../../../nodes/Videogen/ground/clock';
import {
	interruptedRest,
	openTaskIds,
	readBeforeRest,
	rest,
} from '../../../nodes/Videogen/run/rest';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import type { Entry } from '../../../nodes/Videogen/work/entry';
import { restIn, TaskStore } from '../../../nodes/Videogen/work/taskStore';
import { RESTING, taskOf } from '../../programs/support/entries';
import { onReads, status } from '../../programs/support/fakeService';
import { entryOf, resumeJob, Scene } from '../../programs/support/waitingRun';

/** What stands in the node's context; changing a name in it strands executions that rest. */
const golden: IDataObject = JSON.parse(readFileSync(join(__dirname, 'savedRest.json'), 'utf8'));

const clock = { ...platformClock, date: () => 1_700_000_000_000 };

const REFUSED = {
	kind: 'notSent',
	why: 'invalid',
	message: 'Refused',
	description: 'why',
} as const;

/** n8n as a node sees it in one execution; the context is saved with it, as JSON. */
function n8nWith(items: IDataObject[], executionId: string, context: IDataObject = {}) {
	const inputs: INodeExecutionData[] = items.map((json) => ({ json }));
	const until: Date[] = [];
	const storeOf = (run = 'run 0') => new TaskStore({ context, run, executionId });
	return {
		inputs,
		until,
		storeOf,
		saved: (): IDataObject => JSON.parse(JSON.stringify(context)),
		getInputData: () => inputs,
		putExecutionToWait: async (date: Date) => await Promise.resolve(void until.push(date)),
	};
}
type FakeN8n = ReturnType<typeof n8nWith>;

/** Rests with entries that this is known of, in the order of the items. */
async function restWith(n8n: FakeN8n, known: Array<Partial<Entry>>) {
	const store = n8n.storeOf();
	const entries = store.begin(
		known.map(({ outcome, download, wait = RESTING }, item) => ({
			item,
			wishes: [`wish ${item}`],
			request: { model: 'model', prompt: 'A fox' },
			wait,
			...(download && { download }),
			...(outcome && { outcome }),
		})),
	);
	entries.forEach((entry, item) => Object.assign(entry, known[item]));
	const output = await rest(n8n, store, entries, clock);
	store.close();
	return output;
}

describe('going to rest', () => {
	test('makes of each input item what it is to be when nobody calls', async () => {
		const n8n = n8nWith([{ prompt: 'one' }, { prompt: 'bad' }], '1');
		const task = taskOf('task-1');
		expect(await restWith(n8n, [{ task }, { outcome: REFUSED }])).toEqual([
			{ json: { id: 'task-1', status: 'processing' }, pairedItem: { item: 0 } },
		]);
		expect(n8n.inputs.map(({ json }) => json.error)).toEqual([
			{
				kind: 'timeout',
				message: 'No callback came in time for task task-1 (status before: processing)',
				description: expect.stringContaining('Use Get Task with ID task-1'),
				taskId: 'task-1',
				status: 'processing',
				task: { id: 'task-1', status: 'processing' },
			},
			{ kind: 'invalid', message: 'Refused', description: 'why' },
		]);
		expect(n8n.until).toEqual([new Date(clock.date() + 610_000)]);
	});

	test('waits for the longest Timeout of those whose end is to come', async () => {
		const n8n = n8nWith([{}, {}, {}], '1');
		const waits = [400_000, 900_000, 1_800_000].map((timeoutMs) => ({ ...RESTING, timeoutMs }));
		await restWith(n8n, [
			{ task: taskOf('task-1'), wait: waits[0] },
			{ task: taskOf('task-2'), wait: waits[1] },
			{ outcome: REFUSED, wait: waits[2] },
		]);
		expect(n8n.until).toEqual([new Date(clock.date() + 910_000)]);
	});

	test('leaves a file that is wanted to the callback as well, and says that it is missing', async () => {
		const n8n = n8nWith([{}, {}], '1');
		const done: Partial<Entry> = {
			task: taskOf('task-2', 'completed'),
			download: { binaryProperty: 'data' },
			outcome: { kind: 'done' },
		};
		await restWith(n8n, [{ task: taskOf('task-1') }, done]);
		expect(n8n.inputs[1]?.json.error).toMatchObject({
			description: expect.stringContaining('finished, but not downloaded'),
		});
	});

	test('puts out no error meanwhile, for which n8n would run the node again', async () => {
		const odd = taskOf('task-1', 'processing', { error: { code: 'none' } });
		const output = await restWith(n8nWith([{}, {}], '1'), [{ outcome: REFUSED }, { task: odd }]);
		expect(output?.map(({ json }) => json.error)).toEqual([undefined]);
		expect(output?.[0]?.pairedItem).toEqual({ item: 1 });
	});

	test('keeps a large record of what had ended, and of nothing else', async () => {
		const n8n = n8nWith([{}, {}], '1');
		const large = { log: 'x'.repeat(9_000) };
		await restWith(n8n, [
			{ task: taskOf('task-1', 'processing', large) },
			{ task: taskOf('task-2', 'completed', large), outcome: { kind: 'done' } },
		]);
		const entries = restIn(n8n.saved().videogen)?.entries;
		expect(entries?.map(({ task }) => task?.record)).toEqual([
			{ id: 'task-1', status: 'processing' },
			{ id: 'task-2', status: 'completed', ...large },
		]);
	});
});

test('only tasks whose end is to come are open', () => {
	const entries: Entry[] = [
		{ item: 0, wishes: [], task: taskOf('task-1') },
		{ item: 1, wishes: [], task: taskOf('task-2', 'completed'), outcome: { kind: 'done' } },
		{ item: 2, wishes: [] },
	];
	expect(openTaskIds({ entries })).toEqual(['task-1']);
});

test('who does not rest reads again what has completed without results, and nothing else', async () => {
	const results = ['https://files.test/a.mp4'];
	const known: Array<Partial<Entry>> = [
		{ task: taskOf('task-1', 'completed'), outcome: { kind: 'done' } },
		{ task: taskOf('task-2', 'completed', { results }), outcome: { kind: 'done' } },
		{ outcome: REFUSED },
	];
	const entries = known.map((more, item): Entry => ({ item, wishes: [], ...more }));
	const n8n = n8nWith([{}, {}, {}], '1');
	expect(await rest(n8n, n8n.storeOf(), entries, clock)).toBeUndefined();
	expect(entries.map(({ outcome }) => outcome?.kind)).toEqual([undefined, 'done', 'notSent']);
	expect([n8n.until, restIn(n8n.saved().videogen)]).toEqual([[], undefined]);
});

describe('the reading before a rest', () => {
	const readWith = async (error?: ServiceError) => {
		const scene = new Scene({
			durationMs: 100,
			error: onReads(({ taskId, nth }) => (taskId === 'task-1' && nth === 1 ? error : undefined)),
		});
		const entries = ['a', 'b'].map((prompt, item) =>
			entryOf(resumeJob(scene.service.add(prompt).id, prompt), item),
		);
		await scene.advance(entries, { drive: readBeforeRest });
		const readsOf = (id: string) =>
			scene.service.reads.filter(({ taskId }) => taskId === id).length;
		return { entries, reads: ['task-1', 'task-2'].map(readsOf) };
	};

	test('asks once where all is well', async () => {
		const { entries, reads } = await readWith();
		expect([entries.map(({ outcome }) => outcome), reads]).toEqual([
			[undefined, undefined],
			[1, 1],
		]);
	});

	test('while one cannot be read, asks again, and then for the others once more', async () => {
		const { entries, reads } = await readWith(status(503));
		expect(entries.map(({ outcome }) => outcome)).toEqual([{ kind: 'done' }, { kind: 'done' }]);
		expect(reads).toEqual([2, 2]);
	});
});

describe('what executions that rest over an update of the node must find again', () => {
	const entries = restIn(golden.videogen)?.entries ?? [];

	test('is read whole', () => {
		expect(restIn(golden.videogen)).toMatchObject({ executionId: '42', endsAt: 1_700_000_610_000 });
		expect(entries).toEqual(Object(golden.videogen).runs['run 0']);
		expect(entries).toHaveLength(4);
	});

	test('is written with the same names', async () => {
		const n8n = n8nWith([{}, {}, {}, {}], '42');
		const store = n8n.storeOf();
		const begun = store.begin(
			entries.map(({ item, wishes, request }) => ({ item, wishes, request })),
		);
		begun.forEach((entry, index) => Object.assign(entry, structuredClone(entries[index])));
		for (const entry of begun) if (entry.request) store.count(1);
		store.count(1);
		await rest(n8n, store, begun, clock);
		store.close();
		expect(n8n.saved()).toEqual(golden);
	});

	test('goes on: open tasks are read, all else stays what it was', () => {
		const inputs = [{ error: { taskId: 'task-1' } }, {}, {}, {}];
		const n8n = n8nWith(inputs, '43', structuredClone(golden));
		const resumed = interruptedRest(n8n, n8n.storeOf());
		expect(resumed?.map(({ outcome }) => outcome?.kind)).toEqual([
			...[undefined, 'notSent', 'notCreated', 'failed'],
		]);
		expect(resumed?.[0]?.task?.id).toBe('task-1');
	});
});

describe('a retry', () => {
	const rested = async () => {
		const n8n = n8nWith([{ prompt: 'one' }], '1');
		await restWith(n8n, [{ task: taskOf('task-1') }]);
		return n8n;
	};
	const inputsOf = ({ inputs }: FakeN8n) => inputs.map(({ json }) => json);

	test.each<[string, (items: IDataObject[]) => IDataObject[]]>([
		['the rest had prepared', (items) => items],
		['the callback had brought', () => [{ id: 'task-1', status: 'completed' }]],
	])('goes on from what %s, on every try', async (_what, outputOf) => {
		const first = await rested();
		const inputs = outputOf(inputsOf(first));
		const retried = n8nWith(inputs, '2', first.saved());
		expect(interruptedRest(retried, retried.storeOf())).toMatchObject([
			{ task: { id: 'task-1' }, wait: RESTING },
		]);
		retried.storeOf().forgetAllBut([]);
		expect(interruptedRest(retried, retried.storeOf())).toHaveLength(1);
		const again = n8nWith(inputs, '3', retried.saved());
		expect(interruptedRest(again, again.storeOf())).toHaveLength(1);
	});

	test.each<[string, string, (items: IDataObject[]) => IDataObject[]]>([
		['another round of a loop', 'run 1', (items) => items],
		['items of other tasks', 'run 0', () => [{ id: 'task-2', status: 'completed' }]],
		['the items from before the rest', 'run 0', () => [{ prompt: 'one' }]],
		['more items', 'run 0', (items) => [...items, {}]],
		['no items', 'run 0', () => []],
	])('takes %s for a new run', async (_what, run, changed) => {
		const first = await rested();
		const again = n8nWith(changed(inputsOf(first)), '2', first.saved());
		expect(interruptedRest(again, again.storeOf(run))).toBeUndefined();
	});

	test('takes items of which only one was made of the rest for a new run', async () => {
		const first = n8nWith([{}, {}], '1');
		await restWith(first, [{ task: taskOf('task-1') }, { task: taskOf('task-2') }]);
		const again = n8nWith([{ id: 'task-1', status: 'completed' }, {}], '2', first.saved());
		expect(interruptedRest(again, again.storeOf())).toBeUndefined();
	});

	test('is a new run when nothing rested', () => {
		const n8n = n8nWith([{}], '2', { videogen: { runs: { 'run 0': 'x' } } });
		expect(interruptedRest(n8n, n8n.storeOf())).toBeUndefined();
	});
});
