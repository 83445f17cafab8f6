import { MAX_BYTES_IN_MEMORY } from '../../nodes/Videogen/files/downloadError';
import { fastClock } from '../programs/support/clocks';
import { sampleMp4, samplePng } from '../programs/support/sampleFiles';
import { errorOf } from '../programs/support/engine';
import { memoryOf, useEngine } from './useEngine';

/**
 * An n8n that keeps files in memory: nothing here starts its storage on the disk. How much may be
 * in it together stands in `test/unit/files/download.test.ts`.
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

const data = { data: samplePng().toString('base64'), mimeType: 'image/png', fileName: 'a.png' };
const FRAMES = { operation: 'createImageVideo', imageSource: 'binary', waitForCompletion: false };

test('an image goes inline, and is kept nowhere else', async () => {
	const result = await run(['a fox'], { more: FRAMES, binaries: [{ data }] });
	const inline = `data:image/png;base64,${data.data}`;
	expect(simulator.creates()).toMatchObject([{ status: 200, json: { image_urls: [inline] } }]);
	expect(memoryOf(result)).not.toContain('data:image');
	expect(memoryOf(result)).not.toContain(data.data);
	expect(JSON.stringify(result.output.map(({ json }) => json))).not.toContain('data:image');
});

test('a file that an expression gives is the one of the item', async () => {
	const other = { ...data, data: samplePng([1]).toString('base64'), fileName: 'b.png' };
	const more = { ...FRAMES, firstFrameBinaryProperty: '={{ $binary.other }}' };
	await run(['a fox'], { more, binaries: [{ data, other }] });
	const json = { image_urls: [`data:image/png;base64,${other.data}`] };
	expect(simulator.creates()).toMatchObject([{ json }]);
});

test('a video as a reference is refused before anything is sent', async () => {
	const clip = { data: sampleMp4().toString('base64'), mimeType: 'video/mp4' };
	const more = { operation: 'createReferenceVideo', referenceBinaryProperties: 'clip' };
	const { message, description } = errorOf(await run(['a fox'], { more, binaries: [{ clip }] }));
	expect(message).toBe(
		'Reference File Fields: the service cannot fetch the file "clip", because n8n keeps files in its memory.',
	);
	expect(description).toContain('Give a public URL in place of the file.');
	expect(simulator.requests).toEqual([]);
});
