import { readFile, writeFile } from 'node:fs/promises';
import { fieldsOf, readExample } from '../../programs/realN8n/examples';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../programs/support/sampleFiles';
import { BROKEN, STANDING_STILL, jsonFrom, status } from '../vocabulary';
import { PERSON, openLink, type Kitchen } from './kitchen';
import { FORM, type Visitor } from './visitor';

export const APPROVE = 'approve-then-final.json';
export const CLAUDE = 'videos-from-claude.json';
export const DAILY = 'daily-videos.json';
export const FILE = 'file-to-video.json';
export const NEWS = 'news-to-video.json';
export const AGENT = 'ai-agent-tool.json';
export const QUEUE = 'content-queue.json';
export const REFERENCES = 'references-to-video.json';
export const REPORT = 'many-prompts-with-report.json';
export const STORY = 'story-in-scenes.json';
export const SURVIVING = 'survive-restarts.json';

/** The two schedules of the content queue. */
export const CREATE = 'Every Hour';
export const COLLECT = 'Every Five Minutes';

/** Names and prompts of a recipe's list. */
export const listOf = (file: string, node = 'Videos') =>
	fieldsOf(readExample(file), node).map(([title = '', prompt = '']) => ({ title, prompt }));

/** A feed with entries of these titles. */
const feedOf = (...titles: string[]) => ({
	body: Buffer.from(
		`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${titles
			.map((title) => `<item><title>${title}</title><link>https://e.com/${title}</link></item>`)
			.join('')}</channel></rss>`,
	),
	contentType: 'application/rss+xml',
});

/** One recipe from its trigger to its end, with what it gives. */
interface HappyPath {
	recipe: string;
	gives: string;
	play: (kitchen: Kitchen, visitor: Visitor) => Promise<void>;
}

/** Of every recipe; those for MCP clients have a suite of their own (`suites/mcp.ts`). */
export const HAPPY_PATHS: HappyPath[] = [
	{
		recipe: DAILY,
		gives: 'videos in the bucket and one mail, which says why one is missing',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const { bucket, mails } = kitchen.place;
			const [first, refused, third] = listOf(DAILY);
			n8n.sim.planTask({ prompt: refused?.prompt, outcome: 'failed', error: BROKEN });
			const execution = await (await kitchen.imported(DAILY)).execute();

			const [mail, ...others] = mails;
			expect(others).toEqual([]);
			expect(mail).toMatchObject({ to: PERSON, subject: '2 of 3 videos are ready' });
			const lines = mail?.text.split('\n') ?? [];
			for (const made of [first, third]) {
				const line = lines.find((text) => text.startsWith(`${made?.title} (5 s): `));
				const [url = ''] = /\S+$/.exec(String(line)) ?? [];
				const { id } = n8n.taskOf(made?.prompt);
				expect(url).toMatch(new RegExp(`/videos/\\d{4}-\\d\\d-\\d\\d/${id}\\.mp4$`));
				const file = await openLink(url);
				expect(file.headers.get('content-type')).toBe('video/mp4');
				expect(Buffer.from(await file.arrayBuffer())).toEqual(sampleMp4());
			}
			const line = lines.find((text) => text.startsWith(`${refused?.title}: `));
			expect(line).toContain(BROKEN.message);
			expect(line).toContain(`Task ID: ${n8n.taskOf(refused?.prompt).id}`);
			expect(await bucket.keys()).toHaveLength(2);
			expect(`${mail?.text}${execution.raw}`).not.toContain(DEFAULT_API_KEY);
		},
	},
	...['Approve', 'Decline'].map((button) => ({
		recipe: APPROVE,
		gives: `a draft to click on in a mail, and ${button === 'Approve' ? 'one' : 'no'} final`,
		play: async (kitchen: Kitchen) => {
			const { n8n } = kitchen;
			const { mails } = kitchen.place;
			const id = await n8n.start(kitchen.recipe(APPROVE));
			await n8n.api.waitForStatus(id, 'waiting');
			const [mail] = mails;
			expect(mail).toMatchObject({ to: PERSON, subject: 'Draft: make the final?' });
			expect(mail?.linkOf('Watch the draft')).toBe(n8n.onlyTask().results()[0]);
			await openLink(String(mail?.linkOf(button)));
			await n8n.ended(id);
			// A click that comes later changes nothing.
			await openLink(String(mail?.linkOf('Approve')));
			await n8n.ended(id);

			const isApproved = button === 'Approve';
			const model = 'videogen-2.5-text-to-video';
			const draft = { model, duration: 4, quality: '480p' };
			const final = { model, duration: 10, quality: '720p' };
			expect(n8n.createdBodies()).toMatchObject(isApproved ? [draft, final] : [draft]);
			const video = n8n.tasks().at(-1)?.results()[0];
			const mailed = { to: PERSON, text: expect.stringContaining(String(video)) };
			expect(mails).toMatchObject(isApproved ? [mail, mailed] : [mail]);
		},
	})),
	{
		recipe: QUEUE,
		gives: 'rows that go from open to done or failed, each created once',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const { sim } = n8n;
			for (const prompt of ['Made', 'Broken', 'Later']) sim.planTask({ ...STANDING_STILL, prompt });
			sim.script({ on: 'create', prompt: 'Refused', fault: status(402) });
			const prompts = ['Made', 'Broken', 'Refused', 'Later'];
			const rows = prompts.map((prompt) => ({ prompt, status: 'open' }));
			await n8n.api.addRows(kitchen.table('table'), rows);
			const queue = await kitchen.imported(QUEUE);
			const statuses = async () => (await kitchen.rows('table', 'status')).flat();

			await queue.execute('success', CREATE);
			expect(await statuses()).toEqual(['submitted', 'submitted', 'failed', 'open']);
			await queue.execute('success', CREATE);
			await queue.execute('success', COLLECT);
			expect(await statuses()).toEqual(['submitted', 'submitted', 'failed', 'submitted']);

			const made = n8n.taskOf('Made');
			sim.finish(made.id);
			sim.finish(n8n.taskOf('Broken').id, 'cancelled');
			await queue.execute('success', COLLECT);
			const path = kitchen.inFolder(`${made.id}.mp4`);
			expect(
				await kitchen.rows('table', 'status', 'taskId', 'result', 'videoUrl', 'error'),
			).toEqual([
				['done', made.id, path, made.results()[0], ''],
				['failed', n8n.taskOf('Broken').id, '', '', expect.stringContaining('cancelled')],
				['failed', '', '', '', expect.stringContaining('(402)')],
				['submitted', n8n.taskOf('Later').id, '', '', ''],
			]);
			expect(await readFile(path)).toEqual(sampleMp4());
			expect(sim.creates()).toHaveLength(4);
		},
	},
	{
		recipe: NEWS,
		gives: 'at most three prompts a day, each entry once, which the queue makes',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const { host, model } = kitchen.place;
			const feedUrl = host.serve('/feed.xml', feedOf('one', 'two'));
			const news = await kitchen.imported(NEWS, { feedUrl });
			/** The model writes that many prompts. */
			const run = async (count: number) => {
				const prompts = Array.from({ length: count }, (_, nth) => ` A video, number ${nth + 1} `);
				model.plan(prompts.map((prompt) => ({ says: () => prompt })));
				await news.execute();
				expect(model.requests).toHaveLength(count);
			};
			await run(2);
			await run(0);
			host.serve('/feed.xml', feedOf('one', 'two', 'three', 'four', 'five', 'six'));
			await run(1);
			await run(0);
			const rows = ['A video, number 1', 'A video, number 2', 'A video, number 1'];
			expect(await kitchen.rows('table', 'prompt', 'status')).toEqual(
				rows.map((prompt) => [prompt, 'open']),
			);
			expect(n8n.sim.requests).toEqual([]);

			await (await kitchen.imported(QUEUE)).execute('success', CREATE);
			// They go out side by side.
			const created = n8n.sim.creates().map(({ prompt }) => prompt);
			expect(created.sort()).toEqual(rows.sort());
		},
	},
	...[undefined, samplePng()].map((image) => ({
		recipe: FORM,
		gives: image ? 'a video of an image to a visitor' : 'a video of a text to a visitor',
		play: async ({ n8n }: Kitchen, visitor: Visitor) => {
			await visitor.findsForm();
			const file = image && { name: 'image.png', mimeType: 'image/png', buffer: image };
			const execution = await visitor.send({ seconds: '10', file }, 'Your video is ready');
			const node = image ? 'Create Image Video' : 'Create Text Video';
			const model = `videogen-2.5-${image ? 'image' : 'text'}-to-video`;
			expect(n8n.createdBodies()).toMatchObject([{ model, prompt: 'A fox', duration: 10 }]);
			const { id } = n8n.onlyTask();
			if (image) await n8n.sim.waitForMedia(1);
			const fetched = n8n.sim.mediaOf(id).map(({ sha256 }) => sha256);
			expect(fetched).toEqual(image ? [sha256Of(image)] : []);
			expect(await visitor.plays()).toBeGreaterThan(1);
			expect(await n8n.fileOf(execution.output(node)[0])).toEqual(sampleMp4());
		},
	})),
	{
		recipe: REPORT,
		gives: 'a report of what was made and what is missing, after tries that paid nothing twice',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const wanted = listOf(REPORT);
			const [first, refused] = wanted;
			n8n.sim.script({ on: 'create', prompt: first?.prompt, fault: status(503) });
			n8n.sim.planTask({ prompt: refused?.prompt, outcome: 'failed', error: BROKEN });
			const execution = await (await kitchen.imported(REPORT)).execute();

			// The second try creates the first, which never began, and not what was refused.
			expect(n8n.sim.creates()).toHaveLength(wanted.length + 1);
			const made = wanted
				.filter((video) => video !== refused)
				.map(({ title, prompt }) => {
					const { id: taskId, results } = n8n.taskOf(prompt).record();
					return { title, made: true, taskId, videoUrl: results?.[0] };
				});
			const taskId = n8n.taskOf(refused?.prompt).id;
			const message = `The service refused this video: ${BROKEN.message}`;
			const missing = { title: refused?.title, made: false, taskId, message };
			expect(jsonFrom(execution, 'Report')).toMatchObject([
				{ summary: '3 of 4 videos were made', made: 3, notMade: 1, videos: [...made, missing] },
			]);
		},
	},
	{
		recipe: STORY,
		gives: 'a clip for each scene that follows on from the one before, made once',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			n8n.sim.planTask({ immediate: true, times: Infinity });
			const story = await kitchen.imported(STORY);
			await story.execute();
			const execution = await story.execute();
			const clips = listOf(STORY, 'Scenes').map(({ prompt }, index) => {
				const { id: taskId, results } = n8n.taskOf(prompt).record();
				return { scene: String(index + 1), prompt, taskId, videoUrl: results?.[0] };
			});
			expect(jsonFrom(execution, 'Clips')).toEqual([{ clips }]);
			const references = [undefined, ...clips].slice(0, -1).map((clip) => clip?.videoUrl);
			expect(n8n.createdBodies()).toMatchObject(
				references.map((url) => (url === undefined ? {} : { video_urls: [url] })),
			);
		},
	},
	{
		recipe: FILE,
		gives: 'a video of an image on disk, saved there',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			await writeFile(kitchen.inFolder('image.png'), samplePng());
			await (await kitchen.imported(FILE)).execute();
			const { id } = n8n.onlyTask();
			await n8n.sim.waitForMedia(1);
			expect(n8n.sim.mediaOf(id)).toMatchObject([{ sha256: sha256Of(samplePng()) }]);
			expect(await readFile(kitchen.inFolder(`${id}.mp4`))).toEqual(sampleMp4());
		},
	},
	{
		recipe: REFERENCES,
		gives: 'a video of addresses and a file',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const execution = await (await kitchen.imported(REFERENCES)).execute();
			const { id } = n8n.onlyTask();
			await n8n.sim.waitForMedia(5);
			const shades = [20, 30, 10].map((shade) => samplePng([shade, shade, shade]));
			expect(n8n.sim.mediaOf(id).map(({ field, sha256 }) => [field, sha256])).toEqual([
				...shades.map((image) => ['image_urls', sha256Of(image)]),
				['video_urls', sha256Of(sampleMp4())],
				['audio_urls', sha256Of(sampleWav())],
			]);
			expect(await n8n.fileOf(execution.output('Create Video')[0])).toEqual(sampleMp4());
		},
	},
	{
		recipe: AGENT,
		gives: 'one video in a chat that it remembers',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const { model } = kitchen.place;
			const { saved } = await kitchen.imported(AGENT);
			const chat = async (chatInput: string) => {
				const message = { sessionId: 'a-chat', action: 'sendMessage', chatInput };
				const execution = await n8n.ended(await n8n.api.runWorkflow(saved, message));
				return jsonFrom(execution, 'AI Agent')[0]?.output;
			};
			const call = { prompt: 'A fox in the snow', aspectRatio: '9:16' };
			model.plan([{ calls: [call] }, { says: (results) => `Here it is: ${results.at(-1)}` }]);
			const answer = await chat('A fox, for my phone');
			const task = n8n.onlyTask();
			expect(answer).toContain(task.results()[0]);
			expect(n8n.createdBodies()).toMatchObject([
				{ prompt: call.prompt, aspect_ratio: '9:16', duration: 5, quality: '720p' },
			]);

			model.plan([{ says: () => 'You are welcome' }]);
			expect(await chat('Thank you')).toBe('You are welcome');
			const remembered = JSON.stringify(model.requests[0]?.messages);
			for (const said of ['A fox, for my phone', task.id]) expect(remembered).toContain(said);
		},
	},
	{
		recipe: SURVIVING,
		gives: 'a file for each video, and a report that says why one is missing',
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const [made, failed, refused] = listOf(SURVIVING);
			n8n.sim.planTask({ prompt: failed?.prompt, outcome: 'failed', error: BROKEN });
			n8n.sim.script({ on: 'create', prompt: refused?.prompt, fault: status(402) });
			const execution = await (await kitchen.imported(SURVIVING)).execute();
			const taskId = n8n.taskOf(made?.prompt).id;
			const file = kitchen.inFolder(`${taskId}.mp4`);
			const message = `The service refused this video: ${BROKEN.message}`;
			expect(n8n.sim.creates()).toHaveLength(3);
			expect(jsonFrom(execution, 'Report')).toMatchObject([
				{
					summary: '1 of 3 videos were saved',
					videos: [
						{ title: made?.title, saved: true, taskId, file, message: '' },
						{ title: failed?.title, saved: false, message },
						{ title: refused?.title, saved: false, message: expect.stringContaining('(402)') },
					],
				},
			]);
			expect(await readFile(file)).toEqual(sampleMp4());
		},
	},
];
