import { requestNode, triggerNode, videogenNode } from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { sampleMp4, samplePng, sha256Of } from '../../programs/support/sampleFiles';
import { served, simulatorOf, type Suite } from '../beds/suite';
import { FROM_FILE, PROMPT_OF_ITEM, itemsOf, jsonOf, output, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second'];

/** Files come in as binary fields and go out as binary fields, through n8n's own storage. */
export function testFiles(n8n: Suite): void {
	/** Only for files, of another origin than the service. */
	const host = simulatorOf(n8n);

	it('results are files in the output, fetched without the key, also by a redirect to another host', async () => {
		// Not what the service itself would give.
		const body = Buffer.concat([sampleMp4(), Buffer.from('moved')]);
		const location = served(host(), 'moved.mp4', body);
		n8n.sim.script({ on: 'result', prompt: 'second', fault: { kind: 'redirect', location } });
		const parameters = { ...PROMPT_OF_ITEM, ...waiting(), downloadResults: true };
		const execution = await n8n.run({ parameters, items: itemsOf(PROMPTS) });
		expect(jsonOf(execution)).toEqual(n8n.recordsOf(PROMPTS));
		expect(output(execution).map(({ binary }) => binary?.data)).toMatchObject(
			PROMPTS.map((prompt) => ({
				fileName: `${prompt}_${n8n.taskOf(prompt).id}.mp4`,
				...{ mimeType: 'video/mp4', fileType: 'video' },
			})),
		);
		const files = await Promise.all(output(execution).map(async (item) => await n8n.fileOf(item)));
		expect(files).toEqual([sampleMp4(), body]);
		expect(host().requests.map(({ path }) => path)).toEqual(['/moved.mp4']);
		expect([...host().leaks(DEFAULT_API_KEY), ...n8n.sim.leaks(DEFAULT_API_KEY)]).toEqual([]);
	});

	it('the frames of image to video arrive at the service byte for byte', async () => {
		const frames = [samplePng(), samplePng([0, 120, 255])];
		const [first = '', last = ''] = frames.map((png, index) =>
			served(host(), `frame-${index}.png`, png),
		);
		const parameters = { ...FROM_FILE, lastFrameBinaryProperty: 'last', ...waiting() };
		const files = [requestNode('First', first, 'data'), requestNode('Last', last, 'last')];
		await n8n.execute(n8n.chain([triggerNode(), ...files, videogenNode({ parameters })]));
		await n8n.sim.waitForMedia(frames.length);
		expect(n8n.sim.mediaOf(n8n.onlyTask().id)).toMatchObject(
			frames.map((png) => ({
				field: 'image_urls',
				outcome: 'fetched',
				contentType: expect.stringContaining('image/png'),
				sha256: sha256Of(png),
			})),
		);
	});
}
