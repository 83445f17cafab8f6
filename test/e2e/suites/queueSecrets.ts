import { DEFAULT_API_KEY } from '../../programs/simulator';
import { filesHolding } from '../../programs/support/filesHolding';
import type { QueueSuite } from '../beds/suite';
import { DOWNLOADING, STARTED_TIMEOUT_MS } from '../vocabulary';

/** As PostgreSQL writes the bytes of files that n8n keeps in its database. */
const inHex = (text: string): string => Buffer.from(text).toString('hex');
const VIDEO = 'Every byte of a video';

/** Must come last: it reads everything that n8n and its workers saved and printed. */
export function testQueueSecrets(n8n: QueueSuite): void {
	it('the API key is in no row of the database, nor in Redis, the settings or the logs', async () => {
		const { bed, sim } = n8n;
		sim.reset();
		const workflow = await n8n.publish([DOWNLOADING]);
		sim.planTask({ resultBody: VIDEO });
		await workflow.call('ends');
		const { id: endedId } = await workflow.firstExecution();
		const { id: endedTaskId } = n8n.onlyTask();
		sim.planTask({ outcome: 'never' });
		await workflow.call('goes on');
		const isRead = () => sim.reads().some(({ prompt }) => prompt === 'goes on');
		await sim.waitForRequest(isRead, STARTED_TIMEOUT_MS);

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
		const log = await bed.log();
		expect(log.match(/Editor is now accessible/g)).toHaveLength(bed.starts());
		for (const taskId of sim.tasks.keys()) sim.finish(taskId);
	});
}
