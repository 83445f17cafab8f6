import type { Execution } from '../../programs/realN8n/api';
import { fileNode, requestNode, triggerNode, videogenNode } from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../programs/support/sampleFiles';
import { served, simulatorOf, type Suite } from '../beds/suite';
import { FROM_FILE, PROMPT_OF_ITEM, itemsOf, jsonOf, output, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second', 'third'];
const DOWNLOADING = { ...waiting(), downloadResults: true };

/** Files come in as binary fields and go out as binary fields, through n8n's own storage. */
export function testFiles(n8n: Suite): void {
	/** Only for files, of another origin than the service. */
	const host = simulatorOf(n8n);

	describe('results as files', () => {
		const parameters = { ...PROMPT_OF_ITEM, ...DOWNLOADING };

		const expectAllDownloaded = async (execution: Execution) => {
			expect(jsonOf(execution)).toEqual(n8n.recordsOf(PROMPTS));
			for (const item of output(execution)) expect(await n8n.fileOf(item)).toEqual(sampleMp4());
			expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
		};

		it('are in the output, each with its own name and type', async () => {
			const execution = await n8n.run({ parameters, items: itemsOf(PROMPTS) });
			await expectAllDownloaded(execution);
			expect(output(execution).map(({ binary }) => binary?.data)).toEqual(
				PROMPTS.map((prompt) =>
					expect.objectContaining({
						fileName: `${prompt.toLowerCase().replaceAll(' ', '-')}_${n8n.taskOf(prompt).id}.mp4`,
						mimeType: 'video/mp4',
						fileType: 'video',
					}),
				),
			);
		});

		it('were fetched without the key, also by a redirect to another host', async () => {
			// Not what the service itself would give.
			const body = Buffer.concat([sampleMp4(), Buffer.from('moved')]);
			const target = served(host(), 'moved.mp4', body);
			n8n.sim.script({ on: 'result', fault: { kind: 'redirect', location: target } });
			const execution = await n8n.run({ parameters: { prompt: 'A fox', ...DOWNLOADING } });
			expect(await n8n.fileOf(output(execution)[0])).toEqual(body);
			expect(host().requests.map(({ path }) => path)).toEqual(['/moved.mp4']);
			expect(host().leaks(DEFAULT_API_KEY)).toEqual([]);
			expect(n8n.sim.downloads()).toHaveLength(1);
			for (const { headers } of n8n.sim.downloads()) {
				expect(JSON.stringify(headers)).not.toContain(DEFAULT_API_KEY);
				expect(headers.authorization).toBeUndefined();
			}
		});
	});

	describe('binary fields as input', () => {
		const png = samplePng();
		const lastPng = samplePng([0, 120, 255]);
		const wav = sampleWav();
		const mp4 = sampleMp4();

		/** One item with these files, each fetched from a URL or made of bytes. */
		const runWith = async (
			files: Record<string, string | Buffer>,
			parameters: Record<string, unknown>,
			ends?: Execution['status'],
		): Promise<Execution> => {
			const sources = Object.entries(files).map(([field, source]) =>
				typeof source === 'string' ? requestNode(`Fetch ${field}`, source, field) : fileNode(field),
			);
			const bytes = Object.entries(files).filter(([, source]) => typeof source !== 'string');
			const item = Object.fromEntries(
				bytes.map(([field, made]) => [field, made.toString('base64')]),
			);
			const nodes = [triggerNode(), ...sources, videogenNode({ parameters })];
			return await n8n.execute(n8n.chain(nodes, { items: [item] }), ends);
		};

		/** What the service fetched, in the order of the request. */
		const fetched = async (count: number) => {
			await n8n.sim.waitForMedia(count);
			return n8n.sim.mediaOf(n8n.onlyTask().id);
		};
		const imageOf = (bytes: Buffer) => ({
			field: 'image_urls',
			outcome: 'fetched',
			contentType: expect.stringContaining('image/png'),
			sha256: sha256Of(bytes),
		});

		it('the frames of image to video arrive at the service byte for byte', async () => {
			await runWith(
				{ data: served(host(), 'first.png', png), last: served(host(), 'last.png', lastPng) },
				{ ...FROM_FILE, lastFrameBinaryProperty: 'last', ...waiting() },
			);
			expect(await fetched(2)).toMatchObject([imageOf(png), imageOf(lastPng)]);
		});

		it('references go to the list of their type, after the addresses', async () => {
			const url = served(host(), 'by-address.png', lastPng);
			await runWith(
				{
					clip: served(host(), 'clip.mp4', mp4),
					voice: served(host(), 'voice.wav', wav),
					face: served(host(), 'face.png', png),
				},
				{
					operation: 'createReferenceVideo',
					prompt: 'A fox',
					imageUrls: url,
					referenceBinaryProperties: 'voice, face, clip',
					...waiting(),
				},
			);
			expect(await fetched(4)).toMatchObject([
				imageOf(lastPng),
				imageOf(png),
				{ field: 'video_urls', outcome: 'fetched', sha256: sha256Of(mp4) },
				{ field: 'audio_urls', outcome: 'fetched', sha256: sha256Of(wav) },
			]);
		});
	});
}
