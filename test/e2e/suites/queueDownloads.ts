import type { Execution } from '../../n8n/api';
import type { Worker } from '../../n8n/queue';
import { OLDEST, type N8nVersion } from '../../n8n/recipes';
import { CREATE_AND_WAIT, CREATE_NODE } from '../chains';
import type { QueueBed } from '../queueBed';

const MIB = 1_048_576;
/** n8n's own value is 512. */
const LIMIT_MIB = 1;
const LIMIT_SETTING = 'N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE';
/** For all processes: every file goes into the database, up to this size. */
export const DATABASE_MODE = {
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	[LIMIT_SETTING]: String(LIMIT_MIB),
};

const DOWNLOADING = {
	...CREATE_AND_WAIT,
	parameters: { ...CREATE_AND_WAIT.parameters, downloadResults: true },
};
const TEST_TIMEOUT_MS = 200_000;

/** A worker downloads, the main process hands out: the files are in the database. */
export function testDownloads(bed: QueueBed, version: N8nVersion, workers: () => Worker[]): void {
	describe('downloads into the database', () => {
		beforeEach(() => bed.sim.reset());

		const run = async (resultBytes: number, more: { onError?: 'continueRegularOutput' } = {}) => {
			bed.sim.planTask({ resultBytes });
			const workflow = await bed.publish({ chain: [{ ...DOWNLOADING, ...more }] });
			await workflow.call('A fox');
			return await workflow.firstExecution();
		};
		const firstItem = (execution: Execution) => execution.output(CREATE_NODE)[0];
		const taskId = () => [...bed.sim.tasks.keys()][0] ?? '';
		/** As the service gives it to anyone. */
		const video = async () => {
			const [url = ''] = [...bed.sim.tasks.values()][0]?.results() ?? [];
			return Buffer.from(await (await fetch(url)).arrayBuffer());
		};

		it(
			'keeps the video, which the main process has whole',
			async () => {
				const execution = await run(MIB - 1);
				expect(execution.status).toBe('success');
				const binaryId = firstItem(execution)?.binary?.data?.id;
				expect(binaryId).toMatch(/^database:/);
				const kept = await bed.api.binaryData(String(binaryId));
				expect(kept).toHaveLength(MIB - 1);
				expect(kept.equals(await video())).toBe(true);
			},
			TEST_TIMEOUT_MS,
		);

		const tooLarge = async () => await run(MIB + 1, { onError: 'continueRegularOutput' });

		// n8n 2.0.3 does not understand its own setting and goes by 512 MiB.
		if (version === OLDEST) {
			it(
				"stores what is larger than the setting says, which n8n's log explains",
				async () => {
					const execution = await tooLarge();
					expect(firstItem(execution)?.binary?.data?.id).toMatch(/^database:/);
					const logs = await Promise.all(workers().map(async (worker) => await worker.log()));
					expect(logs.join('')).toContain(`Invalid value for ${LIMIT_SETTING}`);
				},
				TEST_TIMEOUT_MS,
			);
			return;
		}

		it(
			'says in plain words that a video is larger than n8n stores, and names the task',
			async () => {
				const execution = await tooLarge();
				expect(execution.status).toBe('success');
				const message = `Task ${taskId()} is completed, but not downloaded: the file is larger than n8n stores`;
				expect(firstItem(execution)).toMatchObject({
					json: { error: { message, taskId: taskId() } },
				});
				expect(JSON.stringify(firstItem(execution)?.json)).toContain(LIMIT_SETTING);
				expect(bed.sim.creates()).toHaveLength(1);
			},
			TEST_TIMEOUT_MS,
		);
	});
}
