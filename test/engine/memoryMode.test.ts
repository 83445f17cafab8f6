import { MAX_BYTES_IN_MEMORY } from '../../nodes/Videogen/files/downloadError';
import { fastClock } from '../programs/support/clocks';
import { sampleMp4 } from '../programs/support/sampleFiles';
import { errorOf } from '../programs/support/engine';
import { useEngine } from './useEngine';

/**
 * An n8n that keeps files in memory: nothing here starts its storage on the disk. How much may be
 * in it together stands in `test/unit/download/downloader.test.ts`.
 */
const { simulator, run } = useEngine({
	clock: fastClock(),
	parameters: { downloadResults: true },
});

test('downloads come whole, at the second try if the first is cut off', async () => {
	simulator.script({ on: 'result', fault: { kind: 'cutOff' } });
	const { output } = await run(['a fox']);
	expect(output[0]?.binary?.data).toMatchObject({
		data: sampleMp4().toString('base64'),
		mimeType: 'video/mp4',
	});
	expect(simulator.downloads()).toHaveLength(2);
});

test('downloads come one at a time', async () => {
	let open = 0;
	const openThen: number[] = [];
	const ends = [
		simulator.onRequest(({ route }) => {
			if (route === 'result') openThen.push((open += 1));
		}),
		simulator.onRequestEnd(({ route }) => {
			if (route === 'result') open -= 1;
		}),
	];
	await run(['one', 'two', 'three', 'four']);
	for (const end of ends) end();
	expect(openThen).toEqual([1, 1, 1, 1]);
});

test('a file that is too large is refused by its declared size, once, with its task and results', async () => {
	simulator.planTask({ resultBytes: MAX_BYTES_IN_MEMORY + 1 });
	const result = await run(['a fox']);
	const [task] = simulator.tasks.values();
	const { message, description } = errorOf(result);
	expect(message).toContain(`Task ${task?.id} is completed, but not downloaded`);
	expect(description).toContain('N8N_DEFAULT_BINARY_DATA_MODE to filesystem');
	expect(description).toContain(task?.results()[0]);
	expect(simulator.downloads()).toHaveLength(1);
});
