import { writeFile } from 'node:fs/promises';
import type { Execution } from '../../programs/realN8n/api';
import type { Settings } from '../../programs/realN8n/examples';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { samplePng } from '../../programs/support/sampleFiles';
import { toolResultsIn } from '../../programs/realN8n/openAi';
import { WRONG_KEY, jsonFrom } from '../vocabulary';
import {
	AGENT,
	APPROVE,
	CALLBACK,
	CLAUDE,
	COLLECT,
	CREATE,
	DAILY,
	FILE,
	NEWS,
	QUEUE,
	REFERENCES,
	REPORT,
	STORY,
	SURVIVING,
	feedOf,
	listOf,
} from './happyPaths';
import type { Kitchen } from './kitchen';
import { FORM, type Visitor } from './visitor';

/** What a person does wrong, and that mending it, as the message says, pays for nothing twice. */
interface Mistake {
	recipe: string;
	mistake: string;
	/** How many there are in the end. */
	videos: number;
	play: (kitchen: Kitchen, visitor: Visitor) => Promise<void>;
}

/** What the service does not make, whatever else is asked for. */
const REFUSED = 'A prompt that is refused';
const refuse = ({ n8n }: Kitchen): void =>
	n8n.sim.script({
		...{ on: 'create', prompt: REFUSED, times: Infinity },
		fault: {
			...{ kind: 'status', status: 400 },
			body: { error: { code: 'content_policy_violation', message: 'It is not allowed' } },
		},
	});

interface Mended {
	/** Filled in wrong; the right value is the one that the recipe gets elsewhere. */
	wrong: Settings;
	/** What is right; unless given, all that was wrong is put right. */
	right?: Settings;
	/** What n8n says then, about an execution that ended with an error. */
	says?: string | RegExp;
	/** What the person presses after mending it: *Execute step* in this node. */
	step?: string;
	/** Or *Retry*; else *Execute workflow*. */
	retry?: true;
	/** How the two executions ended. */
	check?: (kitchen: Kitchen, first: Execution, second: Execution) => Promise<void> | void;
}

/** Executes the recipe, mends it and goes on. */
const mend =
	(recipe: string, { wrong, right, says, step, retry, check }: Mended) =>
	async (kitchen: Kitchen): Promise<void> => {
		const imported = await kitchen.imported(recipe, wrong);
		const first = await imported.execute(says === undefined ? 'success' : 'error');
		if (says !== undefined) {
			expect(`${first.error?.message} ${first.error?.description}`).toMatch(says);
		}
		const settings = kitchen.settings();
		const names = Object.keys(wrong);
		await imported.change(
			right ?? Object.fromEntries(names.map((name) => [name, String(settings[name])])),
		);
		const goOn = async () => (retry ? await imported.retry(first) : await imported.execute());
		const second = await (step === undefined ? goOn() : imported.step(step, first));
		await check?.(kitchen, first, second);
	};

const expectMail = (subject: string) => (kitchen: Kitchen) =>
	expect(kitchen.outside.mailbox.mails).toMatchObject([{ subject }]);
const expectReport = (summary: string, second: Execution) =>
	expect(jsonFrom(second, 'Report')).toMatchObject([{ summary }]);
const NO_FOLDER = '/not/allowed';

/** Of every recipe the commonest one. */
export const MISTAKES: Mistake[] = [
	{
		recipe: DAILY,
		mistake: 'a bucket that does not exist',
		videos: 3,
		play: mend(DAILY, {
			wrong: { 'Save to Bucket.bucketName': 'no-such-bucket' },
			says: /bucket/i,
			retry: true,
			check: expectMail('3 of 3 videos are ready'),
		}),
	},
	{
		recipe: APPROVE,
		mistake: 'an e-mail address that is none',
		videos: 1,
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const approve = await kitchen.imported(APPROVE, { 'Ask for Approval.toEmail': 'nobody' });
			const failed = await approve.execute('error');
			expect(failed.error?.message).toMatch(/recipient|address/i);
			await approve.change({ 'Ask for Approval.toEmail': 'person@example.com' });
			const asked = await approve.startStep('Ask for Approval', failed);
			await n8n.api.waitForStatus(asked, 'waiting');
			expectMail('Draft: make the final?')(kitchen);
		},
	},
	{
		recipe: QUEUE,
		mistake: 'a folder that n8n must not write',
		videos: 1,
		play: async (kitchen) => {
			const { n8n } = kitchen;
			n8n.sim.planTask({ immediate: true });
			await n8n.api.addRows(kitchen.table('table'), [{ prompt: 'A fox', status: 'open' }]);
			const queue = await kitchen.imported(QUEUE, { 'Save to Disk.fileName': NO_FOLDER });
			for (const trigger of [CREATE, COLLECT]) await queue.execute('success', trigger);
			const { id, results } = n8n.onlyTask().record();
			const columns = ['status', 'taskId', 'result', 'videoUrl', 'error'];
			const [url] = results ?? [];
			expect(await kitchen.rows('table', ...columns)).toEqual([
				['submitted', id, '', url, expect.stringMatching(/not writable|access|allowed|exist/i)],
			]);
			await queue.change({ 'Save to Disk.fileName': n8n.bed.filesFolder });
			for (const trigger of [COLLECT, CREATE]) await queue.execute('success', trigger);
			expect(await kitchen.rows('table', ...columns)).toEqual([
				['done', id, kitchen.inFolder(`${id}.mp4`), url, ''],
			]);
		},
	},
	{
		recipe: NEWS,
		mistake: 'a feed that does not exist',
		videos: 0,
		play: async (kitchen) => {
			const { host, model } = kitchen;
			const news = await kitchen.imported(NEWS, { feedUrl: `${host.baseUrl}/no-feed.xml` });
			await news.execute('error');
			await news.change({ feedUrl: host.serve('/feed.xml', feedOf('one')) });
			model.plan([{ says: () => 'A fox' }]);
			await news.execute();
			expect(await kitchen.rows('table', 'prompt', 'status')).toEqual([['A fox', 'open']]);
		},
	},
	{
		recipe: FORM,
		mistake: 'a photo in a format that is no use, as a telephone makes it',
		videos: 1,
		play: async ({ n8n }, visitor) => {
			await visitor.findsForm();
			const buffer = samplePng();
			const photo = { name: 'IMG_0001.heic', mimeType: 'image/heic', buffer };
			await visitor.send({ file: photo }, 'Please change something');
			expect(await visitor.reads()).toContain('JPG, PNG or WebP');
			expect(await visitor.reads()).toContain('No video was ordered');
			expect(n8n.sim.requests).toEqual([]);
			const image = { name: 'IMG_0001.png', mimeType: 'image/png', buffer };
			await visitor.send({ file: image }, 'Your video is ready');
		},
	},
	{
		recipe: FORM,
		mistake: 'none: a stranger asks for more seconds than the form offers',
		videos: 0,
		play: async ({ n8n }, visitor) => {
			await visitor.findsForm();
			await visitor.sendsByHand(['A fox', '30']);
			expect(n8n.sim.requests).toEqual([]);
		},
	},
	{
		recipe: FORM,
		mistake: "none: the account's balance is too low, which is no visitor's business",
		videos: 0,
		play: async ({ n8n }, visitor) => {
			n8n.sim.script({ on: 'create', fault: { kind: 'status', status: 402 } });
			await visitor.findsForm();
			await visitor.send({}, 'There is no video to show');
			expect(await visitor.reads()).toContain('Please try again later');
			expect(await visitor.reads()).not.toContain('402');
		},
	},
	{
		recipe: REPORT,
		mistake: 'a prompt that is refused, among others',
		videos: 4,
		play: async (kitchen) => {
			refuse(kitchen);
			const [, second] = listOf(REPORT);
			const field = `Videos.${second?.title}`;
			await mend(REPORT, {
				wrong: { [field]: REFUSED },
				right: { [field]: String(second?.prompt) },
				check: (_kitchen, first, last) => {
					expectReport('3 of 4 videos were made', first);
					expectReport('4 of 4 videos were made', last);
				},
			})(kitchen);
		},
	},
	{
		recipe: STORY,
		mistake:
			'a scene that is made, and then wanted otherwise: it and those after it are made again',
		videos: 5,
		play: async (kitchen) => {
			const [first, second, third] = listOf(STORY, 'Scenes');
			const story = await kitchen.imported(STORY);
			await story.execute();
			const before = kitchen.n8n.tasks();
			await story.change({ [`Scenes.${second?.title}`]: 'Another scene' });
			const execution = await story.execute();
			const [, , , changed, last] = kitchen.n8n.tasks();
			expect(jsonFrom(execution, 'Clips')).toMatchObject([
				{
					clips: [
						{ prompt: first?.prompt, taskId: before[0]?.id },
						{ prompt: 'Another scene', taskId: changed?.id },
						{ prompt: third?.prompt, taskId: last?.id },
					],
				},
			]);
			expect(kitchen.n8n.createdBodies().at(-1)).toMatchObject({ video_urls: changed?.results() });
		},
	},
	{
		recipe: FILE,
		mistake: 'an image that is not there',
		videos: 1,
		play: async (kitchen) => {
			await writeFile(kitchen.inFolder('image.png'), samplePng());
			await mend(FILE, {
				wrong: { image: kitchen.inFolder('imge.png') },
				check: (_kitchen, first) => expect(first.output('Read Image')).toEqual([]),
			})(kitchen);
		},
	},
	{
		recipe: FILE,
		mistake: 'an image that the service does not take, among others: the others are saved',
		videos: 2,
		play: async (kitchen) => {
			const { n8n } = kitchen;
			for (const name of ['1', '2', '3']) {
				await writeFile(kitchen.inFolder(`shot-${name}.png`), samplePng([Number(name)]));
			}
			n8n.sim.script({ on: 'create', fault: { kind: 'status', status: 400 } });
			const image = kitchen.inFolder('shot-*.png');
			const execution = await (await kitchen.imported(FILE, { image })).execute();
			expect(execution.output('Save to Disk')).toHaveLength(2);
			const message = expect.stringMatching(/./);
			expect(jsonFrom(execution, 'Not Made')).toMatchObject([
				{ image: expect.stringContaining('shot-'), message, taskId: '' },
			]);
		},
	},
	{
		recipe: REFERENCES,
		mistake: 'an address that leads nowhere',
		videos: 1,
		play: async (kitchen) =>
			await mend(REFERENCES, {
				wrong: { imageFile: `${kitchen.host.baseUrl}/no-such.png` },
				says: /Authorization failed|404/,
			})(kitchen),
	},
	{
		recipe: AGENT,
		mistake: 'a key that the service does not accept',
		videos: 1,
		play: async (kitchen) => {
			const { n8n, model } = kitchen;
			const videogenApi = await n8n.credential({ apiKey: WRONG_KEY });
			const { saved } = await kitchen.imported(AGENT, {}, { videogenApi });
			const chat = async () => {
				model.plan([
					{ calls: [{ prompt: 'A fox', aspectRatio: '9:16' }] },
					{ says: (results) => String(results.at(-1)) },
				]);
				const message = { sessionId: 'a-chat', action: 'sendMessage', chatInput: 'A fox' };
				await n8n.ended(await n8n.api.runWorkflow(saved, message));
				return model.requests.slice(-1).flatMap(toolResultsIn).at(-1);
			};
			expect(await chat()).toContain('(401)');
			const data = { apiKey: DEFAULT_API_KEY, baseUrl: n8n.sim.baseUrl };
			await n8n.api.updateCredential(videogenApi, data);
			expect(await chat()).toContain('"status":"completed"');
		},
	},
	{
		recipe: CLAUDE,
		mistake: 'a table that does not exist',
		videos: 1,
		play: async (kitchen) => {
			const { n8n } = kitchen;
			const claude = await kitchen.imported(CLAUDE, { ordersTable: 'no such table' });
			const order = async (ends?: Execution['status']) =>
				await n8n.ended(
					await n8n.api.runWorkflow(claude.saved, { prompt: 'A fox' }, 'Start Was Called'),
					ends,
				);
			await order('error');
			expect(n8n.sim.requests).toEqual([]);
			await claude.change({ ordersTable: String(kitchen.settings().ordersTable) });
			expect(jsonFrom(await order(), 'Answer')).toMatchObject([{ status: 'ordered' }]);
			expect(jsonFrom(await order(), 'Answer')).toMatchObject([{ status: 'repeated' }]);
		},
	},
	{
		recipe: CLAUDE,
		mistake: 'none: an order without a clear answer is not sent again',
		videos: 1,
		play: async (kitchen) => {
			const { n8n } = kitchen;
			n8n.sim.script({ on: 'create', createTask: true, fault: { kind: 'html' } });
			const { saved } = await kitchen.imported(CLAUDE, { sameWithinMinutes: '0' });
			for (const status of ['ordering', 'repeated']) {
				const id = await n8n.api.runWorkflow(saved, { prompt: 'A fox' }, 'Start Was Called');
				expect(jsonFrom(await n8n.ended(id), 'Answer')).toMatchObject([{ status }]);
			}
		},
	},
	{
		recipe: CALLBACK,
		mistake: 'no prompt',
		videos: 1,
		play: mend(CALLBACK, {
			wrong: { prompt: '' },
			right: { prompt: 'A fox' },
			says: 'Prompt',
		}),
	},
	{
		recipe: SURVIVING,
		mistake: 'a folder that n8n must not write',
		videos: 3,
		play: mend(SURVIVING, {
			wrong: { 'Save to Disk.fileName': NO_FOLDER },
			step: 'Report',
			check: (_kitchen, first, second) => {
				expectReport('0 of 3 videos were saved', first);
				expectReport('3 of 3 videos were saved', second);
			},
		}),
	},
];
