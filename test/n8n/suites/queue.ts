import { requestNode, videogenNode, type ChainNode } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { filesHolding } from '../../support/filesHolding';
import { samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { served, type QueueSuite } from '../support/suite';
import {
	CREATE_NODE,
	DOWNLOADING,
	FROM_FILE,
	ONE_NODE,
	create,
	jsonFrom,
	replyWith,
	untilPolled,
	waiting,
} from '../support/workflows';
import { expectSilenceAfterStop } from './stopping';
import { FREE_PLACES } from './workerKill';

/** All places of both workers, so that all at once need both. */
const EXECUTIONS = 2 * FREE_PLACES;

const MIB = 1_048_576;
const LIMIT_SETTING = 'N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE';
/** For all processes: every file goes into the database, up to 1 MiB; n8n's own limit is 512. */
export const DATABASE_MODE = { N8N_DEFAULT_BINARY_DATA_MODE: 'database', [LIMIT_SETTING]: '1' };

/** Two workers, which `testWorkerKill` starts, do the work of one main process. */
export function testWorkers(n8n: QueueSuite): void {
	const begun = async () =>
		await Promise.all(n8n.environment.workers.map(async (worker) => await worker.begun()));

	describe('with two workers', () => {
		/** Calls a workflow many times at once; gives what comes out when all have created. */
		const fireAtOnce = async (node: ChainNode, prompts: readonly string[]) => {
			const { sim } = n8n;
			sim.planTask({ outcome: 'never', times: EXECUTIONS });
			const workflow = await n8n.publish([node]);
			await Promise.all(prompts.map(async (prompt) => await workflow.call(prompt)));
			const isAccepted = ({ status: code }: { status?: number }) => code === 200;
			const haveCreated = () => sim.creates().filter(isAccepted).length === EXECUTIONS;
			await sim.waitForRequest(haveCreated);
			for (const id of sim.tasks.keys()) sim.finish(id);

			const ids = await workflow.executionIds();
			const outputs: unknown[] = [];
			for (const id of ids) outputs.push(...jsonFrom(await n8n.ended(id), CREATE_NODE));
			expect(outputs).toHaveLength(EXECUTIONS);
			const inWorkers = await begun();
			const counts = inWorkers.map((all) => ids.filter((id) => all.includes(id)).length);
			expect(counts).toEqual([FREE_PLACES, FREE_PLACES]);
			return outputs;
		};

		it('completes 40 executions, half of them in each, with one create for each', async () => {
			const prompts = Array.from({ length: EXECUTIONS }, (_, index) => `number ${index}`);
			const outputs = await fireAtOnce(create(waiting()), prompts);
			expect(outputs).toEqual(expect.arrayContaining(n8n.recordsOf(prompts)));
			expect(n8n.sim.creates()).toHaveLength(EXECUTIONS);
		});

		it('ends the polls in the worker when an execution is stopped on the main server', async () => {
			n8n.sim.planTask({ outcome: 'never' });
			const workflow = await n8n.publish(ONE_NODE);
			await workflow.call('A fox');
			await untilPolled(n8n);
			const id = await workflow.firstExecutionId();
			const place = (await begun()).findIndex((ids) => ids.includes(id));
			const worker = n8n.environment.workers[place];
			if (worker === undefined) throw new Error('No worker has begun the execution');
			await expectSilenceAfterStop(n8n, id, worker);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		/** The item that comes out for a video of so many bytes. */
		const itemFor = async (resultBytes: number) => {
			n8n.sim.planTask({ resultBody: Buffer.alloc(resultBytes) });
			const node = { ...DOWNLOADING, onError: 'continueRegularOutput' as const };
			const execution = await n8n.runPublished([node]);
			return execution.output(CREATE_NODE)[0];
		};

		it('keeps a video in the database, which the main process has whole', async () => {
			const item = await itemFor(MIB - 1);
			expect(item?.binary?.data?.id).toMatch(/^database:/);
			const kept = await n8n.fileOf(item);
			expect(kept).toHaveLength(MIB - 1);
			// As the service gives it to anyone.
			const [url = ''] = n8n.onlyTask().results();
			expect(kept.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true);
		});

		// Older ones do not understand their own setting, and go by 512 MiB.
		n8n.itOnNewest('names the task of a video that is larger than n8n stores', async () => {
			const item = await itemFor(MIB + 1);
			const { id: taskId } = n8n.onlyTask();
			expect(item?.json).toMatchObject({ error: { kind: 'download', taskId } });
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('hands out an image by a link to the main process, which the service can open', async () => {
			const { api, sim } = n8n;
			const body = samplePng();
			await n8n.runPublished([
				requestNode('Fetch', served(sim, 'first.png', body), 'data'),
				videogenNode({ parameters: { ...FROM_FILE, ...waiting() } }),
			]);
			await sim.waitForMedia(1);
			const url = expect.stringContaining(`${api.baseUrl}/`);
			expect(sim.media).toMatchObject([
				{ field: 'image_urls', outcome: 'fetched', sha256: sha256Of(body), url },
			]);
		});

		/** Fails, is retried, and gives whether the other worker did the second. */
		const isRetriedElsewhere = async (): Promise<boolean> => {
			n8n.sim.reset();
			n8n.sim.script({ on: 'task', fault: replyWith(405) });
			const stopped = await n8n.runPublished(ONE_NODE, 'error');
			const retried = await n8n.retry(stopped);
			expect(jsonFrom(retried, CREATE_NODE)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.creates()).toHaveLength(1);
			const all = await begun();
			const [first, second] = [stopped, retried].map(({ id }) =>
				all.findIndex((ids) => ids.includes(id)),
			);
			expect([first, second]).not.toContain(-1);
			return first !== second;
		};

		it('finds the task again when an execution is retried on the other worker', async () => {
			// Which worker takes an execution is chance.
			while (!(await isRetriedElsewhere()));
		});
	});
}

/** As PostgreSQL writes the bytes of files that n8n keeps in its database. */
const inHex = (text: string): string => Buffer.from(text).toString('hex');
const VIDEO = 'Every byte of a video';

/** Looks through everything that n8n and its workers, of which one is left, saved and printed. */
export function testQueueSecrets(n8n: QueueSuite): void {
	it('the API key is in no row of the database, nor in Redis, the settings or the logs', async () => {
		const { environment, sim } = n8n;
		const workflow = await n8n.publish([DOWNLOADING]);
		sim.planTask({ resultBody: VIDEO });
		await workflow.call('ends');
		const { id: endedId } = await workflow.firstExecution();
		const { id: endedTaskId } = n8n.onlyTask();
		sim.planTask({ outcome: 'never' });
		await workflow.call('goes on');
		const isRead = () => sim.reads().some(({ prompt }) => prompt === 'goes on');
		await sim.waitForRequest(isRead);

		const rows = await environment.dumpDatabase();
		expect(rows).not.toContain(DEFAULT_API_KEY);
		expect(rows).not.toContain(inHex(DEFAULT_API_KEY));
		// What is there shows that all was looked through.
		for (const kept of ['videogenApi', endedTaskId, inHex(VIDEO)]) expect(rows).toContain(kept);

		await environment.saveRedis();
		expect(await filesHolding(environment.folder, DEFAULT_API_KEY)).toEqual([]);
		const [runningId] = (await workflow.executionIds()).filter((id) => id !== endedId);
		const jobOfRunning = `"executionId":"${runningId}"`;
		expect(await filesHolding(environment.folder, jobOfRunning)).toContain('dump.rdb');
		const wordOfPostgres = 'database system is ready';
		expect(await filesHolding(environment.folder, wordOfPostgres)).toContain('postgres.log');
		for (const taskId of sim.tasks.keys()) sim.finish(taskId);
	});
}
