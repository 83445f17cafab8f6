import type { QueueSuite } from '../beds/suite';
import { CREATE_NODE, DOWNLOADING } from '../vocabulary';

const MIB = 1_048_576;
/** n8n's own value is 512. */
const LIMIT_MIB = 1;
const LIMIT_SETTING = 'N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE';
/** For all processes: every file goes into the database, up to this size. */
export const DATABASE_MODE = {
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	[LIMIT_SETTING]: String(LIMIT_MIB),
};

/** A worker downloads, the main process hands out: the files are in the database. */
export function testDownloads(n8n: QueueSuite): void {
	describe('downloads into the database', () => {
		beforeEach(() => n8n.sim.reset());

		/** The item that comes out for a video of so many bytes. */
		const itemFor = async (resultBytes: number) => {
			n8n.sim.planTask({ resultBytes });
			const node = { ...DOWNLOADING, onError: 'continueRegularOutput' as const };
			const execution = await n8n.runPublished([node]);
			return execution.output(CREATE_NODE)[0];
		};

		it('keeps the video, which the main process has whole', async () => {
			const item = await itemFor(MIB - 1);
			const binaryId = String(item?.binary?.data?.id);
			expect(binaryId).toMatch(/^database:/);
			const kept = await n8n.api.binaryData(binaryId);
			expect(kept).toHaveLength(MIB - 1);
			// As the service gives it to anyone.
			const [url = ''] = n8n.onlyTask().results();
			expect(kept.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true);
		});

		// Older ones do not understand their own setting, and go by 512 MiB.
		n8n.itOnNewest(
			'says in plain words that a video is larger than n8n stores, and names the task',
			async () => {
				const item = await itemFor(MIB + 1);
				const { id: taskId } = n8n.onlyTask();
				const message = `Task ${taskId} is completed, but not downloaded: its files are larger than what n8n stores`;
				expect(item?.json).toMatchObject({ error: { message, taskId } });
				expect(JSON.stringify(item?.json)).toContain(LIMIT_SETTING);
				expect(n8n.sim.creates()).toHaveLength(1);
			},
		);
	});
}
