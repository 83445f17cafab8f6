import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Execution } from '../../n8n/api';
import { exampleFiles, fieldsOf, prepared, readExample } from '../../n8n/examples';
import type { NewWorkflow } from '../../n8n/workflows';
import type { Simulator } from '../../simulator';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../support/sampleFiles';
import { modelOf, toolResultsIn } from '../openAi';
import { served, simulatorOf, type Suite } from '../beds/suite';
import { BROKEN, jsonFrom, status } from '../vocabulary';
import { APPROVE } from './approveThenFinal';
import { QUEUE } from './contentQueue';
import { DAILY } from './dailyVideos';
import { FORM } from './formExample';
import { MCP } from './mcp';
import { NEWS } from './newsToVideo';
import { STORY } from './storyInScenes';

const FILE = 'file-to-video.json';
const REFERENCES = 'references-to-video.json';
const CALLBACK = 'wait-by-callback.json';
const REPORT = 'many-prompts-with-report.json';
export const SURVIVING = 'survive-restarts.json';
const AGENT = 'ai-agent-tool.json';

/** What is run below. */
const FILES_HERE = [FILE, REFERENCES, CALLBACK, REPORT, SURVIVING, AGENT];
/** With those that have suites of their own. */
const FILES = [...FILES_HERE, APPROVE, DAILY, FORM, QUEUE, MCP, NEWS, STORY];

/** The example workflows, each as it is after a user has followed its notes. */
export function testExamples(n8n: Suite): void {
	describe('the example', () => {
		const { model, credential: openAiApi } = modelOf(n8n);
		/** Hosts files. */
		const host = simulatorOf(n8n);

		// Runs beside all the others, at a service of its own.
		const testSurviving = startSurviving(n8n, simulatorOf(n8n));

		const preparedExample = (file: string, settings?: Record<string, string>): NewWorkflow => {
			const credentials = { videogenApi: n8n.bed.credential, openAiApi: openAiApi() };
			return prepared(readExample(file), { credentials, settings });
		};
		const run = async (...wanted: Parameters<typeof preparedExample>): Promise<Execution> =>
			await n8n.execute(preparedExample(...wanted));
		const inFolder = (name: string): string => path.join(n8n.bed.filesFolder, name);
		const savedVideo = (taskId: string): string => inFolder(`${taskId}.mp4`);
		const titlesAndPrompts = (file: string) => fieldsOf(readExample(file), 'Videos');

		/** What the service fetched for the one task that was created. */
		const fetched = async (count: number) => {
			expect(n8n.sim.creates()).toHaveLength(1);
			await n8n.sim.waitForMedia(count);
			return n8n.sim.mediaOf(n8n.onlyTask().id).map(({ field, sha256 }) => [field, sha256]);
		};

		it('of every file in the folder is run', () => {
			expect(exampleFiles()).toEqual([...FILES].sort());
		});

		it.each(FILES)('%s is imported whole', async (file) => {
			const example = readExample(file);
			const { nodes, ...saved } = await n8n.api.createWorkflow(example);
			// A newer n8n gives nodes that can be called an ID of their own when they have none.
			expect(nodes).toMatchObject(example.nodes);
			expect(saved).toMatchObject({
				name: example.name,
				connections: example.connections,
				settings: example.settings,
				active: false,
			});
		});

		it(`${FILE} makes a video of an image on disk, and saves it there`, async () => {
			const image = inFolder('image.png');
			await writeFile(image, samplePng());
			const folder = n8n.bed.filesFolder;
			await run(FILE, { image, folder });

			expect(await fetched(1)).toEqual([['image_urls', sha256Of(samplePng())]]);
			expect(await readFile(savedVideo(n8n.onlyTask().id))).toEqual(sampleMp4());
		});

		it(`${REFERENCES} hands over addresses and a file, and has the video`, async () => {
			const png = (shade: number) => samplePng([shade, shade, shade]);
			const coat = served(host(), 'coat.png', png(20));
			const hat = served(host(), 'hat.png', png(30));
			const settings = {
				imageFile: served(host(), 'person.png', png(10)),
				imageUrls: `${coat}, ${hat}`,
				videoUrls: served(host(), 'scene.mp4', sampleMp4()),
				audioUrls: served(host(), 'voice.wav', sampleWav()),
			};
			const execution = await run(REFERENCES, settings);

			expect(await fetched(5)).toEqual([
				['image_urls', sha256Of(png(20))],
				['image_urls', sha256Of(png(30))],
				['image_urls', sha256Of(png(10))],
				['video_urls', sha256Of(sampleMp4())],
				['audio_urls', sha256Of(sampleWav())],
			]);
			expect(await onlyFile(execution, 'Create Video')).toEqual(sampleMp4());
		});

		it(`${CALLBACK} rests until the service calls, and has the video`, async () => {
			n8n.sim.planTask({ outcome: 'never' });
			const executionId = await n8n.start(preparedExample(CALLBACK));
			await n8n.api.waitForStatus(executionId, 'waiting');
			expect(n8n.sim.reads()).toEqual([]);

			const { id } = n8n.onlyTask();
			n8n.sim.finish(id);
			const execution = await n8n.ended(executionId);
			expect(n8n.sim.callbacks).toMatchObject([{ status: 200, delivered: true }]);
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(await onlyFile(execution, 'Get Video')).toEqual(sampleMp4());
		});

		describe(REPORT, () => {
			const wanted = titlesAndPrompts(REPORT);
			const [first, second] = wanted;
			const runReport = async () => jsonFrom(await run(REPORT), 'Report');
			const made = ([title = '', prompt = '']: string[]) => {
				const task = n8n.taskOf(prompt);
				return { title, made: true, taskId: task.id, videoUrl: task.results()[0] };
			};

			it('tries again without paying twice, and reports what is still missing', async () => {
				n8n.sim.script({ on: 'create', prompt: first?.[1], fault: status(503) });
				n8n.sim.planTask({ prompt: second?.[1], outcome: 'failed', error: BROKEN, times: 2 });
				const report = await runReport();

				// The second try creates the first, which never began, and not what was refused for its content.
				expect(n8n.sim.creates()).toHaveLength(wanted.length + 1);
				const failed = n8n.tasks().filter(({ prompt }) => prompt === second?.[1]);
				const lastFailed = failed.at(-1)?.id;
				expect(failed).toHaveLength(1);
				expect(report).toEqual([
					{
						summary: '3 of 4 videos were made',
						made: 3,
						notMade: 1,
						videos: [
							...wanted.filter((video) => video !== second).map(made),
							{
								title: second?.[0],
								made: false,
								taskId: lastFailed,
								message: `The service refused this video: ${BROKEN.message}`,
								advice: expect.stringContaining('your provider'),
							},
						],
					},
				]);
			});

			n8n.itOnNewest('reports that none was made', async () => {
				n8n.sim.script({ on: 'create', fault: status(402), times: Infinity });
				const report = await runReport();

				expect(report).toMatchObject([{ summary: '0 of 4 videos were made', made: 0, notMade: 4 }]);
				expect(JSON.stringify(report)).toContain('(402)');
			});
		});

		it(`${AGENT} makes one video in a chat that it remembers`, async () => {
			const saved = await n8n.api.createWorkflow(preparedExample(AGENT));
			const chat = async (chatInput: string): Promise<Execution> => {
				const message = { sessionId: 'a-chat', action: 'sendMessage', chatInput };
				return await n8n.ended(await n8n.api.runWorkflow(saved, message));
			};
			const answerOf = (execution: Execution) => jsonFrom(execution, 'AI Agent')[0]?.output;

			model().plan([
				{ calls: [{ prompt: 'A fox in the snow', aspectRatio: '5:4' }] },
				{ calls: [{ prompt: 'A fox in the snow', aspectRatio: '9:16' }] },
				{ says: (results) => `Here it is: ${results.at(-1)}` },
			]);
			const execution = await chat('A fox, for my phone');

			const [complaint, result] = model().requests.slice(-1).flatMap(toolResultsIn);
			expect(complaint).toContain('Aspect Ratio');
			const task = n8n.onlyTask();
			expect(result).toContain(`"id":"${task.id}","status":"completed","videoUrl":`);
			expect(n8n.createdBodies()).toEqual([
				{
					model: 'videogen-2.5-text-to-video',
					prompt: 'A fox in the snow',
					duration: 5,
					quality: '720p',
					aspect_ratio: '9:16',
				},
			]);
			expect(answerOf(execution)).toContain(task.results()[0]);

			model().plan([{ says: () => 'You are welcome' }]);
			expect(answerOf(await chat('Thank you'))).toBe('You are welcome');
			const remembered = JSON.stringify(model().requests[0]?.messages);
			for (const said of ['A fox, for my phone', task.id, 'Thank you']) {
				expect(remembered).toContain(said);
			}
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		testSurviving();

		/** The bytes of the one file that a node put out. */
		const onlyFile = async (execution: Execution, node: string): Promise<Buffer> => {
			const [item, ...others] = execution.output(node);
			expect(others).toEqual([]);
			expect(item?.binary).toEqual({ data: expect.objectContaining({ mimeType: 'video/mp4' }) });
			return await n8n.fileOf(item);
		};
	});
}

/**
 * Runs the example that waits for more than a minute. Call before the other examples.
 * @returns Registers its test; call it after the others.
 */
function startSurviving(n8n: Suite, service: () => Simulator): () => void {
	const example = readExample(SURVIVING);
	const [made = [], failed = [], refused = []] = fieldsOf(example, 'Videos');
	let executionId: string;
	beforeAll(async () => {
		service().planTask({ prompt: failed[1], outcome: 'failed', error: BROKEN });
		service().script({ on: 'create', prompt: refused[1], fault: status(402) });
		const credentials = { videogenApi: await n8n.credential({ baseUrl: service().baseUrl }) };
		const settings = { folder: n8n.bed.filesFolder };
		executionId = await n8n.start(prepared(example, { credentials, settings }));
	});

	return () =>
		it(`${SURVIVING} saves every video and reports it, and why one is missing`, async () => {
			const execution = await n8n.ended(executionId);
			const idOf = (prompt = '') =>
				[...service().tasks.values()].find((task) => task.prompt === prompt)?.id;
			const file = path.join(n8n.bed.filesFolder, `${idOf(made[1])}.mp4`);
			const nothing = { taskId: '', file: '', message: '', advice: '' };

			expect(service().creates()).toHaveLength(3);
			expect(jsonFrom(execution, 'Report')).toEqual([
				{
					summary: '1 of 3 videos were saved',
					videos: [
						{ ...nothing, title: made[0], saved: true, taskId: idOf(made[1]), file },
						{
							...nothing,
							title: failed[0],
							saved: false,
							taskId: idOf(failed[1]),
							message: `The service refused this video: ${BROKEN.message}`,
							advice: expect.stringContaining('your provider'),
						},
						{
							...nothing,
							title: refused[0],
							saved: false,
							message: expect.stringContaining('(402)'),
							advice: expect.any(String),
						},
					],
				},
			]);
			expect(await readFile(file)).toEqual(sampleMp4());
		});
}
