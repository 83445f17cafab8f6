import path from 'node:path';
import { logReader } from '../../n8n/log';
import type { ChainNode } from '../../n8n/webhookWorkflow';
import { DEFAULT_API_KEY } from '../../simulator';
import { filesHolding } from '../../support/filesHolding';
import { CREATE_AND_WAIT, CREATE_NODE, ONE_NODE } from '../chains';
import { ECHOES, REDACTED_ECHO, shownBy } from '../echoes';
import type { QueueBed } from '../queueBed';

const MAIN_LOG = path.join('main', 'n8n.log');
const STARTED_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 300_000;

/** As PostgreSQL writes the bytes of files that n8n keeps in its database. */
const inHex = (text: string): string => Buffer.from(text).toString('hex');
const VIDEO = 'Every byte of a video';
const DOWNLOADING: ChainNode = {
	...CREATE_AND_WAIT,
	parameters: { ...CREATE_AND_WAIT.parameters, downloadResults: true },
};

/** Must come last: it reads everything that n8n and its workers saved and printed. */
export function testQueueSecrets(bed: QueueBed): void {
	describe('the API key', () => {
		bed.workers(1);
		beforeEach(() => bed.sim.reset());

		it.each(ECHOES)(
			'is not shown when $where repeats it',
			async ({ arrange, status }) => {
				arrange(bed.sim);
				const workflow = await bed.publish({ chain: ONE_NODE });
				await workflow.call('A fox');
				const execution = await workflow.firstExecution();
				expect(execution.status).toBe(status);
				expect(shownBy(execution, CREATE_NODE)).toContain(REDACTED_ECHO);
				expect(execution.raw).not.toContain(DEFAULT_API_KEY);
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'is in no row of the database, nor in Redis, the settings or the logs',
			async () => {
				const { sim } = bed;
				const workflow = await bed.publish({ chain: [DOWNLOADING] });
				sim.planTask({ resultBody: VIDEO });
				await workflow.call('ends');
				const { id: endedId } = await workflow.firstExecution();
				const [endedTaskId = ''] = sim.tasks.keys();
				sim.planTask({ outcome: 'never' });
				await workflow.call('goes on');
				const isPolled = () => sim.reads().some(({ prompt }) => prompt === 'goes on');
				await sim.waitForRequest(isPolled, STARTED_TIMEOUT_MS);

				const rows = await bed.dumpDatabase();
				expect(rows).not.toContain(DEFAULT_API_KEY);
				expect(rows).not.toContain(inHex(DEFAULT_API_KEY));
				expect(rows).toContain('videogenApi');
				for (const kept of [endedTaskId, inHex(VIDEO)]) expect(rows).toContain(kept);

				await bed.saveRedis();
				expect(await filesHolding(bed.folder, DEFAULT_API_KEY)).toEqual([]);
				const [runningId] = (await workflow.executionIds()).filter((id) => id !== endedId);
				const jobOfRunning = `"executionId":"${runningId}"`;
				expect(await filesHolding(bed.folder, jobOfRunning)).toContain('dump.rdb');
				const wordOfPostgres = 'database system is ready';
				expect(await filesHolding(bed.folder, wordOfPostgres)).toContain('postgres.log');
				// Its log is whole, also from before it was killed.
				const { log } = logReader(path.join(bed.folder, MAIN_LOG));
				expect((await log()).match(/Editor is now accessible/g)).toHaveLength(bed.mainStarts);
				for (const taskId of sim.tasks.keys()) sim.finish(taskId);
			},
			TEST_TIMEOUT_MS,
		);
	});
}
