import { taskIdOf, taskOf, type Item } from '../../../nodes/Videogen/work/order';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/work/createThrottles';
import {
	type FakeServiceOptions,
	type FakeTask,
	onCreates,
	onReads,
	status,
} from '../../programs/support/fakeService';
import {
	createItem,
	createItems,
	createOnlyItem,
	endOf,
	readItem,
	resumedItem,
	type Wait,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

const briefly = { intervalMs: 1_000, timeoutMs: 5_000 };
const down = status(503);

const create = createItem('a');
const brief = createItem('a', briefly);
const createOnly = createOnlyItem('a');
const read = readItem('task-1');
const wait = readItem('task-1', WAIT);
const briefRead = readItem('task-1', briefly);
const briefOwn = resumedItem('task-1', 'a', briefly);
const resume = resumedItem('task-1', 'a');
const resumeOnce = { ...resume, wait: undefined };

const usual: FakeServiceOptions = {};
const atOnce: FakeServiceOptions = { durationMs: 0 };
const fails: FakeServiceOptions = { ending: () => 'failed' };
const never: FakeServiceOptions = { durationMs: Infinity };
const unread: FakeServiceOptions = { ...never, error: onReads(() => down) };
const refused: FakeServiceOptions = { error: () => status(402) };
const lateRefused = { ...never, error: onReads(({ nth }) => (nth > 2 ? status(402) : undefined)) };

const none = undefined;
const running: Partial<FakeTask> = { finalMs: 12_000 };
const finished: Partial<FakeTask> = { finalMs: 0 };
const broken: Partial<FakeTask> = { finalMs: 0, ending: 'failed' };
const breaksLater: Partial<FakeTask> = { finalMs: 20_000, ending: 'failed' };

type Case = [
	behaviour: string,
	service: FakeServiceOptions,
	/** A task that is there already, with this end of its own. */
	existing: Partial<FakeTask> | undefined,
	item: Item,
	/** The end of its order, the status of its task, and which that is unless the first. */
	end: string,
	creates: number,
	reads: number,
];

test.each<Case>([
	['a created task is waited for', usual, none, create, 'completed', 1, 3],
	['a create that is final at once', atOnce, none, create, 'completed', 1, 0],
	['a create without waiting', usual, none, createOnly, 'running processing', 1, 0],
	['a created task that fails', fails, none, create, 'failed', 1, 3],
	['a create that has failed at once', { ...fails, ...atOnce }, none, create, 'failed', 1, 1],
	['a created task that is late', never, none, brief, 'timeout processing', 1, 5],
	['a late one, unread at the end', unread, none, brief, 'timeout processing', 1, 4],
	['one unread from then on', lateRefused, none, create, 'balance processing', 1, 3],
	['an existing task, never read', unread, running, briefRead, 'timeout -', 0, 4],
	['an existing task that is lost', refused, running, read, 'balance -', 0, 1],
	['an unknown task, read once', usual, none, read, 'notFound -', 0, 1],
	['an existing task, read once', usual, running, read, 'running processing', 0, 1],
	['a failed task, only read', usual, broken, read, 'failed', 0, 1],
	['an existing task, waited for', usual, running, wait, 'completed', 0, 4],
	['an existing task that has failed', usual, broken, wait, 'failed', 0, 1],
	['an own task that runs', usual, running, resume, 'completed', 0, 4],
	['an own task that is completed', usual, finished, resume, 'completed', 0, 1],
	['an own task that has failed: a new one', usual, broken, resume, 'completed task-2', 1, 4],
	['an own task that fails only now', usual, breaksLater, resume, 'failed', 0, 5],
	['an own task, never read', unread, running, briefOwn, 'timeout pending', 0, 4],
	['an own task that nobody knows', usual, none, resume, 'notFound pending', 0, 7],
	['an own task, read once', usual, running, resumeOnce, 'running processing', 0, 1],
])(
	'one item comes to one end: %s',
	async (_behaviour, service, existing, item, end, creates, reads) => {
		const scene = new Scene(service);
		if (existing) scene.service.add('a', existing);
		const made = scene.service.tasks.length;
		const ended = await scene.runOne(item);
		const { status: word = '-' } = taskOf(ended.order) ?? {};
		const id = taskIdOf(ended.order) ?? '';
		const isSecond = id !== 'task-1' && id !== '';
		const isSame = word === endOf(ended);
		expect([endOf(ended), ...(isSame ? [] : [word]), ...(isSecond ? [id] : [])].join(' ')).toBe(
			end,
		);
		expect([scene.service.creates.length, scene.service.reads.length]).toEqual([creates, reads]);
		expect(scene.told[0] ?? []).toEqual(scene.service.tasks.slice(made).map(({ id }) => id));
		expect(scene.clock.sleeping).toBe(0);
	},
);

describe('many items', () => {
	test.each([1, 8])('with %d unfinished allowed, no more ever are', async (maxUnfinished) => {
		const scene = new Scene({
			durationMs: (request) => 3_000 + (Number(request.slice('item '.length)) % 7) * 4_000,
		});
		const ended = await scene.run(createItems(60), { maxConcurrentTasks: maxUnfinished });
		expect(new Set(endsOf(ended))).toEqual(new Set(['completed']));
		expect(scene.service.mostUnfinished).toBe(maxUnfinished);
		expect(scene.service.creates).toHaveLength(60);
	});

	test('tasks of an earlier try count as unfinished before anything is created', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const earlier = [0, 1, 2].map((index) => scene.service.add(`earlier ${index}`));
		const items = [
			...createItems(6),
			...earlier.map(({ id, request }) => resumedItem(id, request)),
		];
		const ended = await scene.run(items, { maxConcurrentTasks: 3 });
		expect(new Set(endsOf(ended))).toEqual(new Set(['completed']));
		expect(scene.service.mostUnfinished).toBe(3);
		expect(scene.service.creates.every(({ atMs }) => atMs >= 12_000)).toBe(true);
	});
});

const numbered = (count: number): Item[] =>
	createItems(count).map((item, index) => ({ ...item, index }));

describe('what one item means for the others', () => {
	test('creates go out in the order of the items, one that got 429 before those still to go', async () => {
		const scene = new Scene({
			latencyMs: 1_000,
			durationMs: 0,
			error: onCreates(({ request, nthOfRequest }) =>
				request === 'item 0' && nthOfRequest === 1 ? status(429) : undefined,
			),
		});
		await scene.run(createItems(MAX_CREATES_AT_ONCE + 2));
		const sent = scene.service.creates.map(({ request }) => Number(request.slice('item '.length)));
		const first = Array.from({ length: MAX_CREATES_AT_ONCE }, (_, index) => index);
		expect(sent).toEqual([...first, 0, MAX_CREATES_AT_ONCE, MAX_CREATES_AT_ONCE + 1]);
	});

	test('a log that throws loses neither its task nor those of the others', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const created = ({ index }: Item) => {
			if (index === 0) throw new Error('The log is full');
		};
		const items = numbered(3);
		await expect(scene.bring(items, { created })).rejects.toThrow('The log is full');
		expect(items.map(({ order }) => taskIdOf(order))).toEqual(['task-1', 'task-2', 'task-3']);
		expect(items.map(({ order }) => order.mayExist)).toEqual(Array(3).fill(undefined));
	});
});

describe('a task of an earlier try that a read finds failed', () => {
	const failing = (error?: object, more: FakeServiceOptions = {}) => {
		const scene = new Scene({ record: ({ nth }) => (nth === 1 ? { error } : undefined), ...more });
		const { id } = scene.service.add('a', broken);
		return { scene, id };
	};
	const CONTENT = { code: 'content_policy' };

	test.each<[string, error: object | undefined, Partial<Item>, creates: number]>([
		['ordered anew', undefined, {}, 1],
		['not ordered again, where it was for its content', CONTENT, {}, 0],
		['ordered anew for a person all the same', CONTENT, { isAskedAgain: true }, 1],
	])('is %s', async (_what, error, more, creates) => {
		const { scene, id } = failing(error);
		const item = await scene.runOne({ ...resumedItem(id, 'a'), ...more });
		expect(scene.service.creates).toHaveLength(creates);
		expect([endOf(item), item.ended !== undefined]).toEqual(
			creates > 0 ? ['completed', true] : ['failed', false],
		);
	});

	test('is ordered anew once: the next one that fails is the end', async () => {
		const { scene, id } = failing(undefined, { ending: () => 'failed' });
		expect(endOf(await scene.runOne(resumedItem(id, 'a')))).toBe('failed');
		expect(scene.service.creates).toHaveLength(1);
	});
});

describe('a task that failed because the service is full', () => {
	const full = (error: object) =>
		new Scene({
			durationMs: 5_000,
			ending: (request) => (request === 'item 0' ? 'failed' : 'completed'),
			record: ({ request }) => (request === 'item 0' ? { error } : undefined),
		});
	const CAPACITY = { code: 'resource_exhausted', message: 'No room here' };

	test.each<[string, object, secondAtMs: number]>([
		['slows the next creates down', CAPACITY, 5_750],
		['for another reason makes room for them', { code: 'broken' }, 5_000],
	])('%s', async (_what, error, secondAtMs) => {
		const scene = full(error);
		await scene.run(createItems(2), { maxConcurrentTasks: 1 });
		expect(scene.service.creates.map(({ atMs }) => atMs)).toEqual([0, secondAtMs]);
	});

	test('says so for creates whose time is up meanwhile', async () => {
		const settings = { maxConcurrentTasks: 1, mostMs: 5_500 };
		const [, second] = await full(CAPACITY).run(createItems(2), settings);
		expect(second?.order.state).toMatchObject({
			fault: { kind: 'rateLimited', description: expect.stringContaining('No room here') },
		});
	});
});

describe('files', () => {
	const fault = { kind: 'download', message: 'Gone', description: 'Why.' } as const;
	/** Files that are there at this try. */
	const comingAt = (last: number, scene: Scene) => {
		const tries: Array<[atMs: number, link: unknown]> = [];
		const fetchFiles = async ({ order }: Item) => {
			tries.push([scene.clock.now(), taskOf(order)?.record.results]);
			return tries.length < last ? { ...fault, mayCome: true } : undefined;
		};
		return { tries, fetchFiles };
	};
	const download = { binaryProperty: 'data' };
	const finishedItem = (scene: Scene, wait?: Wait) => ({
		...readItem(scene.service.add('a', { finalMs: 0 }).id, wait),
		download,
	});
	const timesOf = (tries: Array<[number, unknown]>) => tries.map(([atMs]) => atMs);

	test('that are late are fetched again, less and less often', async () => {
		const scene = new Scene();
		const { tries, fetchFiles } = comingAt(7, scene);
		const item = await scene.runOne(finishedItem(scene, WAIT), { fetchFiles });
		expect(endOf(item)).toBe('completed');
		expect(timesOf(tries)).toEqual([0, 5_000, 12_500, 23_750, 38_750, 53_750, 68_750]);
	});

	test.each<[string, Wait | undefined, endsAtMs: number]>([
		['for two minutes', WAIT, 120_000],
		['for two minutes where nobody waits', undefined, 120_000],
		['for the time that there is', { ...WAIT, timeoutMs: 30_000 }, 30_000],
	])('are tried %s', async (_what, wait, endsAtMs) => {
		const scene = new Scene();
		const { tries, fetchFiles } = comingAt(Infinity, scene);
		const item = await scene.runOne(finishedItem(scene, wait), { fetchFiles });
		expect([endOf(item), timesOf(tries).at(-1)]).toEqual(['download', endsAtMs]);
		expect(item.order.state).toMatchObject({ taskId: 'task-1', fault: { message: 'Gone' } });
	});

	test('of a task that this run created have their time from its create on', async () => {
		const scene = new Scene({ durationMs: 20_000 });
		const { tries, fetchFiles } = comingAt(Infinity, scene);
		const item = createItem('a', { ...WAIT, timeoutMs: 40_000 });
		await scene.runOne({ ...item, download }, { fetchFiles });
		expect(timesOf(tries).at(-1)).toBe(40_000);
		const atOnce = new Scene({ durationMs: 0 });
		const brief = comingAt(Infinity, atOnce);
		await atOnce.runOne({ ...item, download }, { fetchFiles: brief.fetchFiles });
		expect(timesOf(brief.tries).at(-1)).toBe(40_000);
	});

	test('have a new link where a read gives one, and the old one where it does not', async () => {
		const records = [{ results: ['a'] }, { results: ['b'] }, { results: [] }, { status: 'odd' }];
		const scene = new Scene({
			record: ({ nth }) => records[nth - 1],
			error: ({ nth }) => (nth === 5 ? status(500) : undefined),
		});
		const { tries, fetchFiles } = comingAt(6, scene);
		const item = await scene.runOne(finishedItem(scene, WAIT), { fetchFiles });
		expect(tries.map(([, link]) => link)).toEqual([
			...[['a'], ['b'], ['b'], ['https://files.test/task-1.mp4']],
			...Array<string[]>(2).fill(['https://files.test/task-1.mp4']),
		]);
		expect(item.order.state).toMatchObject({ is: 'completed', task: { state: 'completed' } });
	});

	test('are fetched once by who wants them, and told of after the end of the task', async () => {
		const scene = new Scene({ durationMs: 1_000 });
		const { tries, fetchFiles } = comingAt(1, scene);
		const told: number[] = [];
		const ended = ({ index }: Item) => void told.push(index);
		const wanting = { ...createItem('b'), download };
		await scene.run([createItem('a'), wanting, { ...wanting, files: [] }], { fetchFiles, ended });
		expect(tries).toHaveLength(1);
		expect(told.sort()).toEqual([0, 1, 1, 2]);
	});

	test('are waited for no longer than the run goes on', async () => {
		const scene = new Scene();
		const { tries, fetchFiles } = comingAt(Infinity, scene);
		const ending = new AbortController();
		void scene.clock.sleep(6_000).then(() => ending.abort());
		const { signal } = ending;
		const item = await scene.runOne(finishedItem(scene, WAIT), { fetchFiles, signal });
		expect([endOf(item), timesOf(tries)]).toEqual(['download', [0, 5_000, 6_000]]);
		expect(scene.service.reads).toHaveLength(2);
	});
});

describe('stopping a run', () => {
	test('before it begins sends nothing', async () => {
		const scene = new Scene();
		const { id } = scene.service.add('old');
		const ended = await scene.run(
			[createItem('a'), readItem(id), readItem(id, WAIT), resumedItem(id, 'old')],
			{ signal: AbortSignal.abort() },
		);
		expect(endsOf(ended)).toEqual(['stopped', 'timeout', 'timeout', 'timeout']);
		expect(ended.map(({ order }) => taskIdOf(order))).toEqual([undefined, id, id, id]);
		expect(scene.service.calls).toEqual([]);
		expect(scene.clock.sleeping).toBe(0);
	});
});

describe('an end that ends the run', () => {
	test('leaves the other tasks with what is known of them, at that moment', async () => {
		const scene = new Scene({
			durationMs: (request) => (request === 'item 2' ? 9_000 : 60_000),
			ending: (request) => (request === 'item 2' ? 'failed' : 'completed'),
		});
		const ended = await scene.run(createItems(6), {
			maxConcurrentTasks: 4,
			endsRun: (item) => endOf(item) === 'failed',
		});
		expect(endsOf(ended)).toEqual([
			...['timeout', 'timeout', 'failed', 'timeout', 'stopped', 'stopped'],
		]);
		const seenMs = Math.max(
			...scene.service.reads.filter(({ request }) => request === 'item 2').map((r) => r.atMs),
		);
		expect(scene.clock.now()).toBe(seenMs);
		expect(scene.service.calls.filter(({ atMs }) => atMs > seenMs)).toEqual([]);
		expect(scene.clock.sleeping).toBe(0);
	});
});
