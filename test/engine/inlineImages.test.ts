import { errorOf } from '../support/engine';
import { samplePng } from '../../tools/simulator/sampleFiles';
import { CONTINUE, memoryOf, NO_WAIT, status, useEngine } from '../support/useEngine';

/** Where n8n keeps files in memory, images go inside the request, and nowhere else. */
const { simulator, run, taskOf } = useEngine();

const PNG = Buffer.concat([samplePng(), Buffer.alloc(1_200_000, 7)]);
const BASE64 = PNG.toString('base64');
const given = {
	binaries: [{ data: { data: BASE64, mimeType: 'image/png', fileName: 'photo.png' } }],
	more: { operation: 'createImageVideo', imageSource: 'binary', ...NO_WAIT },
};
const PIECE = BASE64.slice(2_000, 2_100);

test('a service that plays its input back loses no id, and shows no image', async () => {
	simulator.script({
		on: 'create',
		fault: { kind: 'merge', fields: { input: { image: `data:image/png;base64,${BASE64}` } } },
	});
	const result = await run(['one'], given);
	const json = result.output[0]?.json;
	expect(json).toMatchObject({ id: taskOf('one').id, input: { image: '[image]' } });
	for (const place of [JSON.stringify(json), memoryOf(result), result.log.join()]) {
		expect(place).not.toContain(PIECE);
	}
	expect(simulator.creates()[0]?.bodyText).toContain(PIECE);
});

test('one that refuses it, and quotes it, has it in no error either', async () => {
	const fault = status(400, { error: { message: `No: data:image/png;base64,${BASE64}` } });
	simulator.script({ on: 'create', times: 2, fault });
	const { message, description, context } = errorOf(await run(['one'], given));
	expect(context.kind).toBe('refused');
	expect(`${message} ${description}`).toContain('[image]');
	expect(`${message} ${description}`).not.toContain(PIECE);
	expect(memoryOf(await run(['two'], { ...given, settings: CONTINUE }))).not.toContain(PIECE);
});
