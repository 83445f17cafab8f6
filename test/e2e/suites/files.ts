import { MAX_DOWNLOAD_TRIES } from '../../../nodes/Videogen/downloads/downloader';
import type { Execution, OutputItem } from '../../n8n/api';
import { fileWorkflow, type FileSources } from '../../n8n/fileWorkflow';
import { DEFAULT_API_KEY, type Fault } from '../../simulator';
import { startFileHost, type FileHost } from '../../support/fileHost';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../support/sampleFiles';
import {
	PROMPT_OF_ITEM,
	itemsOf,
	jsonOf,
	notWaiting,
	output,
	saidBy,
	waiting,
	type Suite,
	type Wanted,
} from '../suite';

const PROMPTS = ['first', 'second', 'third'];
/** Image to video with its first frame from the binary field `data`. */
const FROM_PICTURE = { operation: 'createImageVideo', prompt: 'A fox', imageSource: 'binary' };
const GONE: Fault = { kind: 'status', status: 404 };
const DOWNLOADING = { ...waiting(), downloadResults: true };

const idOf = ({ binary }: OutputItem, field = 'data'): string => String(binary?.[field]?.id);

/** Files come in as binary fields and go out as binary fields, through n8n's own storage. */
export function testFiles(n8n: Suite): void {
	let host: FileHost;
	beforeAll(async () => {
		host = await startFileHost();
	});
	afterAll(async () => await host.close());

	const bytesOf = async (item: OutputItem | undefined, field?: string): Promise<Buffer> => {
		if (item === undefined) throw new Error('There is no such item');
		return await n8n.api.binaryData(idOf(item, field));
	};

	describe('results as files', () => {
		const parameters = { ...PROMPT_OF_ITEM, ...DOWNLOADING };

		const expectAllDownloaded = async (execution: Execution) => {
			expect(execution.status).toBe('success');
			expect(jsonOf(execution)).toEqual(n8n.recordsOf(PROMPTS));
			for (const item of output(execution)) expect(await bytesOf(item)).toEqual(sampleMp4());
			expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
		};

		it('are in the output, each with its own name and type', async () => {
			const execution = await n8n.run({ parameters, items: itemsOf(PROMPTS) });
			await expectAllDownloaded(execution);
			expect(output(execution).map(({ binary }) => binary?.data)).toEqual(
				PROMPTS.map((prompt) =>
					expect.objectContaining({
						fileName: `${n8n.taskOf(prompt).id}.mp4`,
						mimeType: 'video/mp4',
						fileType: 'video',
					}),
				),
			);
		});

		it('were fetched without the key, also by a redirect to another host', async () => {
			// Not what the service itself would give.
			const body = Buffer.concat([sampleMp4(), Buffer.from('moved')]);
			const target = host.serve('/moved.mp4', { body, contentType: 'video/mp4' });
			n8n.sim.script({ on: 'result', fault: { kind: 'redirect', location: target } });
			const execution = await n8n.run({ parameters: { prompt: 'A fox', ...DOWNLOADING } });
			expect(await bytesOf(output(execution)[0])).toEqual(body);
			expect(host.requests.map(({ path }) => path)).toEqual(['/moved.mp4']);
			expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
			expect(n8n.sim.downloads()).toHaveLength(1);
			for (const { headers } of n8n.sim.downloads()) {
				expect(JSON.stringify(headers)).not.toContain(DEFAULT_API_KEY);
				expect(headers.authorization).toBeUndefined();
			}
		});

		it('come with Retry On Fail after a download failed, without a second task', async () => {
			n8n.sim.script({ on: 'result', prompt: 'second', times: 2, fault: GONE });
			const wanted = { parameters, items: itemsOf(PROMPTS), maxTries: 3 };
			await expectAllDownloaded(await n8n.run(wanted));
		});

		it('come with Retry execution after a download failed, without a second task', async () => {
			n8n.sim.script({ on: 'result', prompt: 'second', fault: GONE });
			const stopped = await n8n.run({ parameters, items: itemsOf(PROMPTS) });
			expect(stopped.status).toBe('error');
			expect(saidBy(stopped)).toContain(n8n.taskOf('second').id);
			expect(saidBy(stopped)).toContain(n8n.taskOf('second').results()[0]);
			await expectAllDownloaded(await n8n.retry(stopped));
		});

		it('that are cut off every time end the item with its task and addresses', async () => {
			n8n.sim.script({ on: 'result', times: Infinity, fault: { kind: 'cutOff' } });
			const onError = 'continueErrorOutput' as const;
			const execution = await n8n.run({
				parameters: { prompt: 'A fox', ...DOWNLOADING },
				onError,
			});
			const task = n8n.onlyTask();
			expect(jsonOf(execution, 0)).toEqual([]);
			expect(jsonOf(execution, 1)).toMatchObject([
				{ error: { taskId: task.id, status: 'completed', task: { results: task.results() } } },
			]);
			expect(n8n.sim.downloads()).toHaveLength(MAX_DOWNLOAD_TRIES);
		});
	});

	describe('binary fields as input', () => {
		const png = samplePng();
		const lastPng = samplePng([0, 120, 255]);
		const wav = sampleWav();
		const mp4 = sampleMp4();

		const runWith = async (files: FileSources, wanted: Wanted): Promise<Execution> =>
			await n8n.execute(n8n.workflow(wanted, (one) => fileWorkflow({ ...one, files })));

		const servedPicture = (name: string, body: Buffer): string =>
			host.serve(`/${name}.png`, { body, contentType: 'image/png' });

		/** What the service fetched, in the order of the request. */
		const fetched = async (count: number) => {
			await n8n.sim.waitForMedia(count);
			return n8n.sim.mediaOf(n8n.onlyTask().id).map(({ field, outcome, contentType, sha256 }) => ({
				field,
				outcome,
				contentType,
				sha256,
			}));
		};
		const picture = (bytes: Buffer) => ({
			field: 'image_urls',
			outcome: 'fetched',
			contentType: expect.stringContaining('image/png'),
			sha256: sha256Of(bytes),
		});

		it('the frames of image to video arrive at the service byte for byte', async () => {
			const execution = await runWith(
				{ data: servedPicture('first', png), last: servedPicture('last', lastPng) },
				{
					parameters: {
						operation: 'createImageVideo',
						prompt: 'A fox',
						imageSource: 'binary',
						lastFrameBinaryProperty: 'last',
						...waiting(),
					},
				},
			);
			expect(execution.status).toBe('success');
			expect(await fetched(2)).toEqual([picture(png), picture(lastPng)]);
		});

		it('references go to the list of their type, after the addresses', async () => {
			const url = servedPicture('by-address', lastPng);
			const execution = await runWith(
				{
					clip: host.serve('/clip.mp4', { body: mp4, contentType: 'video/mp4' }),
					voice: host.serve('/voice.wav', { body: wav, contentType: 'audio/wav' }),
					face: servedPicture('face', png),
				},
				{
					parameters: {
						operation: 'createReferenceVideo',
						prompt: 'A fox',
						imageUrls: url,
						referenceBinaryProperties: 'voice, face, clip',
						...waiting(),
					},
				},
			);
			expect(execution.status).toBe('success');
			expect(await fetched(4)).toMatchObject([
				picture(lastPng),
				picture(png),
				{ field: 'video_urls', outcome: 'fetched', sha256: sha256Of(mp4) },
				{ field: 'audio_urls', outcome: 'fetched', sha256: sha256Of(wav) },
			]);
		});

		it('a retry finds the task of a file, though the link to it is a new one', async () => {
			n8n.sim.script({ on: 'task', fault: { kind: 'status', status: 403 } });
			const execution = await runWith(
				{ data: png },
				{
					parameters: {
						operation: 'createImageVideo',
						prompt: 'A fox',
						imageSource: 'binary',
						...waiting(),
					},
				},
			);
			expect(execution.status).toBe('error');
			const retried = await n8n.retry(execution);
			expect(retried.status).toBe('success');
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('the token of a link is in no message when the service quotes the link', async () => {
			n8n.sim.script({
				on: 'create',
				fault: {
					kind: 'status',
					status: 400,
					body: {
						error: { message: 'Cannot open http://n8n/rest/binary-data/signed?token=abc.def' },
					},
				},
			});
			const execution = await runWith(
				{ data: servedPicture('first', png) },
				{ parameters: { ...FROM_PICTURE, ...notWaiting } },
			);
			expect(saidBy(execution)).toContain('Cannot open');
			expect(saidBy(execution)).not.toContain('abc.def');
		});

		it('a field that the item does not have is named, with those that it has', async () => {
			const execution = await runWith(
				{ photo: servedPicture('first', png) },
				{ parameters: { ...FROM_PICTURE, ...notWaiting } },
			);
			expect(execution.error?.message).toBe(
				'First Frame Binary Field: the input item has no binary field "data".',
			);
			expect(execution.error?.description).toContain('photo');
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}
