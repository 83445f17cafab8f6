import { sampleMp4, samplePng } from '../support/sampleFiles';
import { StallClock } from '../support/stallClock';
import { errorOf } from './engine';
import { useEngine } from './useEngine';

/** An n8n that keeps files in memory: nothing here starts its storage on the disk. */
const { simulator, run } = useEngine({ clock: new StallClock() });

test('downloads come whole, at the second try if the first is cut off', async () => {
	simulator.script({ on: 'result', fault: { kind: 'cutOff' } });
	const { output } = await run(['a fox'], { more: { downloadResults: true } });
	expect(output[0]?.binary?.data).toMatchObject({
		data: sampleMp4().toString('base64'),
		mimeType: 'video/mp4',
	});
	expect(simulator.downloads()).toHaveLength(2);
});

const inMemory = {
	data: { data: samplePng().toString('base64'), mimeType: 'image/png', fileName: 'fox.png' },
};

test('no link to a file can be made, and what to change is said', async () => {
	const more = { operation: 'createImageVideo', imageSource: 'binary' };
	const error = errorOf(await run(['a fox'], { more, binaries: [inMemory] }));
	expect(error.message).toContain('kept in the memory of n8n');
	expect(error.description).toContain('N8N_DEFAULT_BINARY_DATA_MODE');
	expect(simulator.requests).toEqual([]);
});
