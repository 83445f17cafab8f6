import { isJsonObject } from '../../nodes/Videogen/common/json';
import { MAX_BYTES_IN_MEMORY } from '../../nodes/Videogen/downloads/downloadError';
import { fastClock } from '../programs/support/clocks';
import { sampleMp4 } from '../programs/support/sampleFiles';
import { errorOf } from '../programs/support/engine';
import { countDownloads } from './countDownloads';
import { CONTINUE, useEngine } from './useEngine';

/** An n8n that keeps files in memory: nothing here starts its storage on the disk. */
const { simulator, run } = useEngine({ clock: fastClock() });

test('downloads come whole, at the second try if the first is cut off', async () => {
	simulator.script({ on: 'result', fault: { kind: 'cutOff' } });
	const { output } = await run(['a fox'], { more: { downloadResults: true } });
	expect(output[0]?.binary?.data).toMatchObject({
		data: sampleMp4().toString('base64'),
		mimeType: 'video/mp4',
	});
	expect(simulator.downloads()).toHaveLength(2);
});

const messageIn = (error: unknown): unknown => (isJsonObject(error) ? error.message : undefined);

describe('files in the memory of n8n', () => {
	const more = { downloadResults: true };
	const LIMIT_MEGABYTES = MAX_BYTES_IN_MEMORY / 1_000_000;

	/** As many items as sizes; gives what became of each. */
	async function download(...megabytes: number[]): Promise<string[]> {
		const prompts = megabytes.map((size, index) => `${size} MB, ${index}`);
		megabytes.forEach((size, index) =>
			simulator.planTask({ prompt: prompts[index], resultBytes: size * 1_000_000 }),
		);
		const { output } = await run(prompts, { more, settings: CONTINUE });
		return output.map(({ json, binary }) => String(binary ? 'file' : messageIn(json.error)));
	}
	const tooMuch = expect.stringContaining(`may have ${LIMIT_MEGABYTES} MB together`);

	test('come one at a time', async () => {
		const open = countDownloads(simulator);
		expect(await download(1, 1, 1, 1, 1)).toEqual(Array(5).fill('file'));
		expect(open.most).toBe(1);
	});

	test('may have so much together, and no more', async () => {
		const half = LIMIT_MEGABYTES / 2 + 1;
		expect((await download(half, half)).sort()).toEqual([tooMuch, 'file']);
	});

	test('are refused by their declared size, once, with the task and its results', async () => {
		simulator.planTask({ resultBytes: MAX_BYTES_IN_MEMORY + 1 });
		const result = await run(['a fox'], { more });
		const [task] = simulator.tasks.values();
		const { message, description } = errorOf(result);
		expect(message).toContain(`Task ${task?.id} is completed, but not downloaded`);
		expect(description).toContain('N8N_DEFAULT_BINARY_DATA_MODE to filesystem');
		expect(description).toContain(task?.results()[0]);
		expect(simulator.downloads()).toHaveLength(1);
	});

	test('are refused as they come when their size is not declared', async () => {
		simulator.script({ on: 'result', times: 2, fault: { kind: 'chunked' } });
		expect(await download(LIMIT_MEGABYTES - 1, LIMIT_MEGABYTES + 50)).toEqual(['file', tooMuch]);
	});
});
