import fc from 'fast-check';
import {
	type Outcome,
	createJob,
	createJobs,
	kindsOf,
	readJob,
	resumeJob,
	Scene,
	WAIT,
} from '../../programs/support/waitingRun';

/** Runs jobs and aborts them at a moment of the scene's clock. */
async function runAborted(
	scene: Scene,
	jobs: Parameters<Scene['run']>[0],
	abortMs: number,
	settings: Parameters<Scene['run']>[1] = {},
): Promise<Outcome[]> {
	const controller = new AbortController();
	const run = scene.run(jobs, { ...settings, signal: controller.signal });
	await scene.clock.sleep(abortMs);
	controller.abort();
	return await run;
}

const callsAfter = (scene: Scene, atMs: number): number =>
	scene.service.calls.filter((call) => call.atMs > atMs).length;

describe('stopping a run', () => {
	test('before it begins sends nothing', async () => {
		const scene = new Scene();
		const { id } = scene.service.add('old');
		const outcomes = await scene.run(
			[createJob('a'), readJob(id), readJob(id, WAIT), resumeJob(id, 'old')],
			{ signal: AbortSignal.abort() },
		);
		expect(outcomes).toEqual([
			{ kind: 'notStarted' },
			{ kind: 'stopped', taskId: id },
			{ kind: 'stopped', taskId: id },
			{ kind: 'stopped', taskId: id, task: expect.objectContaining({ id, status: 'pending' }) },
		]);
		expect(scene.service.calls).toEqual([]);
		expect(scene.clock.sleeping).toBe(0);
	});

	test('leaves tasks with their last record, and what was not sent unsent', async () => {
		const scene = new Scene({ durationMs: Infinity });
		const outcomes = await runAborted(scene, createJobs(5), 30_000, { maxConcurrentTasks: 3 });
		expect(kindsOf(outcomes)).toEqual([
			...['stopped', 'stopped', 'stopped', 'notStarted', 'notStarted'],
		]);
		expect(outcomes[0]).toMatchObject({ taskId: 'task-1', task: { status: 'processing' } });
	});

	test('does not wait for the answers of reads', async () => {
		const scene = new Scene({ durationMs: Infinity, latencyMs: 20_000 });
		const { id } = scene.service.add('old');
		const outcomes = await runAborted(scene, [readJob(id, WAIT)], 1_000);
		expect(outcomes).toEqual([{ kind: 'stopped', taskId: id, task: undefined }]);
		expect(scene.clock.now()).toBe(1_000);
	});

	test('at any moment settles all, leaves no sleep and tells of every id', async () => {
		const scenes = fc.record({
			abortMs: fc.integer({ min: 0, max: 90_000 }),
			latencyMs: fc.constantFrom(0, 100, 3_000),
			count: fc.integer({ min: 1, max: 60 }),
			maxUnfinished: fc.integer({ min: 1, max: 30 }),
			limited: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async ({ abortMs, count, maxUnfinished, limited, latencyMs }) => {
				const scene = new Scene({
					latencyMs,
					durationMs: 25_000,
					...(limited && { maxUnfinished: 4 }),
				});
				const outcomes = await runAborted(scene, createJobs(count), abortMs, {
					maxConcurrentTasks: maxUnfinished,
				});
				const endMs = scene.clock.now();
				expect(outcomes).toHaveLength(count);
				expect(callsAfter(scene, abortMs)).toBe(0);
				expect(endMs - abortMs).toBeLessThanOrEqual(latencyMs);
				expect(scene.told.flat().sort()).toEqual(scene.service.tasks.map(({ id }) => id).sort());
				for (const [index, outcome] of outcomes.entries()) {
					const hasTask = scene.service.tasksOf(`item ${index}`).length > 0;
					expect(outcome.kind === 'notStarted').toBe(!hasTask);
				}
				await scene.clock.sleep(latencyMs + 1);
				expect(scene.clock.sleeping).toBe(0);
			}),
		);
	});
});

describe('an outcome that ends the run', () => {
	const endsOnFailure = (_: number, { kind }: Outcome) => kind === 'failed';

	test('leaves the other tasks with what is known of them, at that moment', async () => {
		const scene = new Scene({
			durationMs: (request) => (request === 'item 2' ? 9_000 : 60_000),
			ending: (request) => (request === 'item 2' ? 'failed' : 'completed'),
		});
		const outcomes = await scene.run(createJobs(6), {
			maxConcurrentTasks: 4,
			endsRun: endsOnFailure,
		});
		expect(kindsOf(outcomes)).toEqual([
			...['stopped', 'stopped', 'failed', 'stopped', 'notStarted', 'notStarted'],
		]);
		const seenMs = Math.max(
			...scene.service.reads.filter(({ request }) => request === 'item 2').map((r) => r.atMs),
		);
		expect(scene.clock.now()).toBe(seenMs);
		expect(callsAfter(scene, seenMs)).toBe(0);
		expect(scene.clock.sleeping).toBe(0);
	});

	test('is looked for in each entry as it has its outcome', async () => {
		const asked: string[] = [];
		const scene = new Scene({ durationMs: (request) => 5_000 * Number(request.at(-1)) });
		await scene.run(createJobs(4), {
			endsRun: (index, { kind }) => {
				asked.push(`${index} ${kind}`);
				return index === 2;
			},
		});
		expect(asked).toEqual(['0 done', '1 done', '2 done', '3 stopped']);
	});
});
