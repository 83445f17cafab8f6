import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { network, onCreates, status } from '../../programs/support/fakeService';
import { createJob, createJobs, kindsOf, readJob, Scene } from '../../programs/support/waitingRun';

const inUse: ServiceError = { ...status(409), code: 'idempotency_in_progress' };

const answeredWith = (...errors: ServiceError[]) =>
	new Scene({ error: onCreates(({ nth }) => errors[nth - 1]) });

describe('the key of an order', () => {
	test.each<[string, ServiceError, keys: number]>([
		['another one after 429, which settles it', status(429), 2],
		['the same after a create that did not get there', network('connectionRefused'), 1],
		['the same while it is in use', inUse, 1],
	])('is %s', async (_what, error, keys) => {
		const scene = answeredWith(error);
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
		expect(scene.orderKeys).toHaveLength(2);
		expect(new Set(scene.orderKeys).size).toBe(keys);
	});

	test.each<[string, ServiceError, stays: boolean]>([
		['a refusal', status(400), false],
		['no answer', network('lost'), true],
		['an error of the certificate', network('tls'), true],
	])('is kept after %s only if it may still matter', async (_what, error, stays) => {
		const scene = answeredWith(error);
		await scene.runOne(createJob('a'));
		const [key] = scene.orderKeys;
		expect(key).toBeDefined();
		expect(scene.entries[0]?.orderKey).toBe(stays ? key : undefined);
	});

	test('in use: what was sent with it is sent again, whatever the item asks for by now', async () => {
		const scene = answeredWith(inUse);
		const asks = ['first', 'second'];
		await scene.run([createJob('a')], {
			requestFor: async () => ({ model: 'model', prompt: asks.shift() ?? 'third' }),
		});
		expect(scene.service.creates.map(({ request }) => request)).toEqual(['first', 'first']);
	});

	test('not in use: what the item asks for by then is sent', async () => {
		const scene = answeredWith(status(429));
		const asks = ['first', 'second'];
		await scene.run([createJob('a')], {
			requestFor: async () => ({ model: 'model', prompt: asks.shift() ?? 'third' }),
		});
		expect(scene.service.creates.map(({ request }) => request)).toEqual(['first', 'second']);
	});
});

test('what may not be sent is not, and says why', async () => {
	const why = { kind: 'notSent', why: 'limit', message: 'Too many', description: '' } as const;
	const scene = new Scene();
	await scene.run([createJob('a')], { requestFor: async () => why });
	expect(scene.entries[0]?.outcome).toEqual(why);
	expect(scene.service.calls).toEqual([]);
});

describe('a run', () => {
	test('begins no create after its most', async () => {
		const scene = new Scene({ durationMs: 40_000 });
		const outcomes = await scene.run(createJobs(2), { maxConcurrentTasks: 1, mostMs: 30_000 });
		expect(kindsOf(outcomes)).toEqual(['done', 'notStarted']);
		expect(scene.service.creates).toHaveLength(1);
	});

	test('that stops creating reads what exists', async () => {
		const scene = new Scene();
		const { id } = scene.service.add('an earlier one');
		const outcomes = await scene.run([readJob(id), createJob('a')], {
			drive: async (run, entries) => {
				run.stopCreating();
				await run.advance(entries, 'final');
			},
		});
		expect(kindsOf(outcomes)).toEqual(['done', 'notStarted']);
		expect(scene.service.creates).toEqual([]);
	});

	const delivered: number[] = [];
	const complete = async (index: number) => void delivered.push(index);
	beforeEach(() => (delivered.length = 0));

	test('to creates reads nothing, and delivers nothing', async () => {
		const scene = new Scene();
		await scene.run(createJobs(2), { until: 'created', complete });
		expect(scene.entries.map(({ outcome, task }) => [outcome, task?.id])).toEqual([
			[undefined, 'task-1'],
			[undefined, 'task-2'],
		]);
		expect([scene.service.reads, delivered]).toEqual([[], []]);
	});

	test('delivers what had its outcome before, and reads it no more', async () => {
		const scene = new Scene();
		const { id: taskId } = scene.service.add('a');
		await scene.advance([{ item: 0, wishes: [], taskId, outcome: { kind: 'stopped' } }], {
			complete,
		});
		expect([scene.service.calls, delivered]).toEqual([[], [0]]);
	});

	test('gives no place among the unfinished to what it only reads', async () => {
		const scene = new Scene();
		const reads = ['a', 'b'].map((request) => readJob(scene.service.add(request).id));
		await scene.run([...reads, ...createJobs(2)], { maxConcurrentTasks: 1 });
		const atOnce = scene.service.calls.filter(({ atMs }) => atMs === 0);
		expect(atOnce.map(({ kind }) => kind)).toEqual(['read', 'read', 'create']);
	});
});
