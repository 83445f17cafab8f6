import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/tasks/createThrottles';
import {
	network,
	onCreates,
	onReads,
	status,
	timesOf,
	type FakeServiceOptions,
} from '../../programs/support/fakeService';
import { createJob, createJobs, createOnlyJob, Scene } from '../../programs/support/waitingRun';

const LOST = network('lost');

describe('what is told and counted of a create', () => {
	const cases: Array<[string, FakeServiceOptions['error'], string[], number]> = [
		['one that is refused', () => status(400), [], 0],
		[
			'one that is rate limited once and then accepted',
			({ nth }) => (nth === 1 ? status(429) : undefined),
			['task-1'],
			1,
		],
		['one without an answer', () => LOST, [], 1],
	];

	test.each(cases)('%s', async (_what, error, told, counted) => {
		const scene = new Scene({ error });
		await scene.runOne(createOnlyJob('a'));
		expect([scene.told[0] ?? [], scene.counted]).toEqual([told, counted]);
	});

	test('is nothing when there is neither a create nor a task', async () => {
		const scene = new Scene();
		expect(await scene.runOne(createJob('a'), { createsNothing: true })).toEqual({
			kind: 'notStarted',
		});
		expect(scene.service.calls).toEqual([]);
	});
});

test.each([status(400), LOST])(
	'a create that is sent again after one without an answer may have made a task: %j',
	async (error) => {
		const scene = new Scene({ error: () => error });
		const outcome = await scene.runOne({ ...createJob('a'), mayExist: true });
		expect(outcome).toEqual({ kind: 'notCreated', error, mayExist: true });
	},
);

describe('what one job means for the others', () => {
	test('a refused create makes no pause for them, unless it is 429', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) => (nth === 1 ? status(400) : undefined)),
		});
		await scene.run(Array.from({ length: 40 }, (_, index) => createJob(`item ${index}`)));
		expect(new Set(timesOf(scene.service.creates))).toEqual(new Set([0]));
	});

	test('creates go out in the order of the items, one that got 429 before those still to go', async () => {
		const scene = new Scene({
			latencyMs: 1_000,
			durationMs: 0,
			error: onCreates(({ request, nthOfRequest }) =>
				request === 'item 0' && nthOfRequest === 1 ? status(429) : undefined,
			),
		});
		await scene.run(createJobs(MAX_CREATES_AT_ONCE + 2));
		const sent = scene.service.creates.map(({ request }) => Number(request.slice('item '.length)));
		const first = Array.from({ length: MAX_CREATES_AT_ONCE }, (_, index) => index);
		expect(sent).toEqual([...first, 0, MAX_CREATES_AT_ONCE, MAX_CREATES_AT_ONCE + 1]);
	});

	test('a log that throws loses neither its task nor those of the others', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const created = (index: number) => {
			if (index === 0) throw new Error('The log is full');
		};
		await expect(scene.run(createJobs(3), { created })).rejects.toThrow('The log is full');
		expect(scene.entries.map(({ task }) => task?.id)).toEqual(['task-1', 'task-2', 'task-3']);
		expect(scene.entries.map(({ unanswered }) => unanswered)).toEqual(Array(3).fill(undefined));
	});

	test('one whose tool throws leaves the creates and reads of the others alone', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const complete = async (index: number) => {
			if (index === 0) throw new Error('Odd');
			await Promise.resolve();
		};
		await expect(scene.run(createJobs(3), { complete })).rejects.toThrow('Odd');
		expect(scene.entries.map(({ outcome }) => outcome?.kind)).toEqual(['done', 'done', 'done']);
	});
});

/** When a task is read, counted from its create. */
function readsOf(request: string, { service }: Scene): number[] {
	const createdMs = service.tasksOf(request)[0]?.createdMs ?? NaN;
	const reads = service.reads.filter((read) => read.request === request);
	return timesOf(reads).map((atMs) => Math.round(atMs - createdMs));
}

describe('what the records of a task say of its end', () => {
	test('counts from what the create was answered', async () => {
		const scene = new Scene({ durationMs: 20_000, percent: (share) => 60 + 40 * share });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 12_500, 17_500, 20_200]);
	});

	test('is at most a wrong prediction when it is beyond 100 percent, or below 0', async () => {
		const wild = (share: number) => (share > 0.5 ? 1e308 : -1e308);
		const scene = new Scene({ durationMs: 20_000, percent: wild });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 10_000, 15_000, 16_000, 21_000]);
	});
});

describe('reads that get no record', () => {
	test('are rarer after 429, and so are those that follow', async () => {
		const error = onReads(({ nth }) => (nth === 1 ? status(429) : undefined));
		const scene = new Scene({ durationMs: 20_000, error });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 15_000, 24_412]);
	});

	test('end no task with one 404 after a long outage', async () => {
		const scene = new Scene({
			error: onReads(({ nth }) => (nth > 10 ? undefined : status(nth < 10 ? 503 : 404))),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
	});
});
