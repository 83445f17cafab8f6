import { samplePng } from '../../programs/support/sampleFiles';
import { jsonFrom, saidBy } from '../vocabulary';
import { CLAUDE, COLLECT, CREATE, DAILY, QUEUE, STORY, listOf } from './happyPaths';
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

const NO_FOLDER = '/not/allowed';
const ORDERED = 'Start Was Called';

/** And what others do wrong, which must not cost anything either. */
export const MISTAKES: Mistake[] = [
	{
		recipe: DAILY,
		mistake: 'a bucket that does not exist',
		videos: 3,
		play: async (kitchen) => {
			const bucket = 'Save to Bucket.bucketName';
			const daily = await kitchen.imported(DAILY, { [bucket]: 'no-such-bucket' });
			const failed = await daily.execute('error');
			expect(saidBy(failed)).toMatch(/bucket/i);
			await daily.fillIn({ [bucket]: kitchen.place.bucket.name });
			await kitchen.n8n.retry(failed, 'success', true);
			expect(kitchen.place.mails).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
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
			await queue.fillIn({ 'Save to Disk.fileName': n8n.bed.filesFolder });
			for (const trigger of [COLLECT, CREATE]) await queue.execute('success', trigger);
			expect(await kitchen.rows('table', ...columns)).toEqual([
				['done', id, kitchen.inFolder(`${id}.mp4`), url, ''],
			]);
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
		recipe: STORY,
		mistake:
			'a scene that is made, and then wanted otherwise: it and those after it are made again',
		videos: 5,
		play: async (kitchen) => {
			kitchen.n8n.sim.planTask({ immediate: true, times: Infinity });
			const [first, second, third] = listOf(STORY, 'Scenes');
			const story = await kitchen.imported(STORY);
			await story.execute();
			const before = kitchen.n8n.tasks();
			await story.fillIn({ [`Scenes.${second?.title}`]: 'Another scene' });
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
		recipe: CLAUDE,
		mistake: 'none: an order without a clear answer is not sent again',
		videos: 1,
		play: async (kitchen) => {
			kitchen.n8n.sim.script({ on: 'create', createTask: true, fault: { kind: 'html' } });
			const claude = await kitchen.imported(CLAUDE, { sameWithinMinutes: '0' });
			for (const state of ['ordering', 'repeated']) {
				const execution = await claude.called(ORDERED, { prompt: 'A fox' });
				expect(jsonFrom(execution, 'Answer')).toMatchObject([{ status: state }]);
			}
		},
	},
	{
		recipe: CLAUDE,
		mistake: 'none: one more than the month allows is refused in words, and not counted',
		videos: 1,
		play: async (kitchen) => {
			const claude = await kitchen.imported(CLAUDE, { maxVideosEachMonth: '1' });
			const note = expect.stringContaining('the limit of 1 videos this month is reached');
			for (const [prompt, answer] of [
				['A fox', { status: 'ordered' }],
				['An owl', { status: 'over the limit', taskId: '', note }],
				['A fox', { status: 'repeated' }],
			] as const) {
				const execution = await claude.called(ORDERED, { prompt });
				expect(jsonFrom(execution, 'Answer')).toMatchObject([answer]);
			}
		},
	},
];
