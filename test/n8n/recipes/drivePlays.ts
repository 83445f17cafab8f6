import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../../tools/simulator/sampleFiles';
import { BROKEN, STANDING_STILL, jsonFrom, status } from '../support/workflows';
import { FOLDER, IMAGES_FOLDER, PERSON, folderSettings, openLink, type Fixtures } from './fixtures';
import {
	APPROVE,
	COLLECT,
	CREATE,
	IMAGES,
	QUEUE,
	SURVIVING,
	listOf,
	playsOf,
	type Play,
} from './plays';

const GOOGLE = 'www.googleapis.com';
const NO_FOLDER = folderSettings('1noSuchFolder');
const RIGHT_FOLDER = folderSettings(FOLDER);

export const driveLink = ({ place }: Fixtures): string =>
	`https://drive.google.com/file/d/${place.drive.files[0]?.id}/view?usp=drivesdk`;

/** Files of the folder of videos, each by its name. */
const savedFiles = ({ place }: Fixtures) =>
	Object.fromEntries(
		place.drive.files
			.filter(({ parent }) => parent !== IMAGES_FOLDER)
			.map(({ name, bytes }) => [name, bytes]),
	);

const APPROVALS: Play[] = [
	...['Approve', 'Decline'].map((button): Play => ({
		recipe: APPROVE,
		shows: `sends a draft, and after ${button} saves ${button === 'Approve' ? 'one' : 'no'} final`,
		play: async (fixtures) => {
			const { n8n } = fixtures;
			const { mails } = fixtures.place;
			const id = await n8n.start(fixtures.recipe(APPROVE));
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
			const name = `${n8n.tasks().at(-1)?.id}.mp4`;
			expect(savedFiles(fixtures)).toEqual(isApproved ? { [name]: sampleMp4() } : {});
			const text = expect.stringContaining(driveLink(fixtures));
			expect(mails).toMatchObject(isApproved ? [mail, { to: PERSON, text }] : [mail]);
		},
	})),
	...playsOf(APPROVE, {
		'after a wrong folder, and Retry, has paid for one final': async (fixtures) => {
			const { n8n, place } = fixtures;
			const recipe = await fixtures.imported(APPROVE, NO_FOLDER);
			const id = await n8n.api.runWorkflow(recipe.saved);
			await n8n.api.waitForStatus(id, 'waiting');
			await openLink(String(place.mails[0]?.linkOf('Approve')));
			const failed = await n8n.ended(id, 'error');
			await recipe.fillIn(RIGHT_FOLDER);
			await n8n.retry(failed, 'success', true);
			expect(place.mails.at(-1)?.text).toContain(driveLink(fixtures));
			expect(n8n.sim.tasks.size).toBe(2);
		},
	}),
];

const QUEUES = playsOf(QUEUE, {
	'takes rows that are due from open to done or failed, each created once': async (fixtures) => {
		const { n8n } = fixtures;
		const { sim } = n8n;
		for (const prompt of ['Made', 'Broken', 'Later']) sim.planTask({ ...STANDING_STILL, prompt });
		sim.script({ on: 'create', prompt: 'Refused', fault: status(402) });
		const prompts = ['Made', 'Broken', 'Refused', 'Later'];
		const rows = prompts.map((prompt) => ({ prompt, status: 'open', date: '2026-01-31' }));
		const nextYear = { prompt: 'Next year', status: 'open', date: '2999-01-01' };
		await n8n.api.addRows(fixtures.table('table'), [nextYear, ...rows]);
		const queue = await fixtures.imported(QUEUE);
		const statuses = async () => (await fixtures.rows('table', 'status')).flat();

		await queue.execute('success', CREATE);
		expect(await statuses()).toEqual(['open', 'submitted', 'submitted', 'failed', 'open']);
		await queue.execute('success', CREATE);
		await queue.execute('success', COLLECT);
		expect((await statuses()).at(-1)).toBe('submitted');

		const made = n8n.taskOf('Made');
		sim.finish(made.id);
		sim.finish(n8n.taskOf('Broken').id, 'cancelled');
		await queue.execute('success', COLLECT);
		expect(await fixtures.rows('table', 'status', 'taskId', 'link', 'error')).toEqual([
			['open', '', '', ''],
			['done', made.id, driveLink(fixtures), ''],
			['failed', n8n.taskOf('Broken').id, '', expect.stringContaining('cancelled')],
			['failed', '', '', expect.stringContaining('(402)')],
			['submitted', n8n.taskOf('Later').id, '', ''],
		]);
		expect(savedFiles(fixtures)).toEqual({ [`${made.id}.mp4`]: sampleMp4() });
		expect(sim.creates()).toHaveLength(4);
	},
	'after a wrong folder, and its correction, has paid for one video': async (fixtures) => {
		const { n8n } = fixtures;
		n8n.sim.planTask({ immediate: true });
		await n8n.api.addRows(fixtures.table('table'), [{ prompt: 'A fox', status: 'open' }]);
		const queue = await fixtures.imported(QUEUE, NO_FOLDER);
		for (const trigger of [CREATE, COLLECT]) await queue.execute('success', trigger);
		const { id } = n8n.onlyTask();
		const columns = ['status', 'taskId', 'link', 'error'];
		expect(await fixtures.rows('table', ...columns)).toEqual([
			['submitted', id, '', expect.stringMatching(/found/)],
		]);
		await queue.fillIn(RIGHT_FOLDER);
		for (const trigger of [COLLECT, CREATE]) await queue.execute('success', trigger);
		expect(await fixtures.rows('table', ...columns)).toEqual([
			['done', id, driveLink(fixtures), ''],
		]);
		expect(n8n.sim.tasks.size).toBe(1);
	},
});

const FILES: Play[] = [
	...playsOf(IMAGES, {
		'makes a video of each image in a folder, and saves it in another': async (fixtures) => {
			const { n8n, place } = fixtures;
			const images = [samplePng([1]), samplePng([2])];
			for (const [nth, bytes] of images.entries()) {
				const name = `image-${nth}.png`;
				place.drive.add({ name, mimeType: 'image/png', bytes, parent: IMAGES_FOLDER });
			}
			const recipe = await fixtures.imported(IMAGES, NO_FOLDER);
			await recipe.execute('error');
			await recipe.fillIn(RIGHT_FOLDER);
			await recipe.execute();
			await n8n.sim.waitForMedia(2);
			const fetched = n8n.sim.media.map(({ sha256 }) => sha256);
			expect(fetched.sort()).toEqual(images.map(sha256Of).sort());
			expect(savedFiles(fixtures)).toEqual(
				Object.fromEntries(n8n.tasks().map(({ id }) => [`${id}.mp4`, sampleMp4()])),
			);
			expect(n8n.sim.tasks.size).toBe(2);
		},
		'makes one video of references, and saves it': async (fixtures) => {
			const { n8n } = fixtures;
			await (await fixtures.imported(IMAGES, { make: 'references' })).execute();
			const { id } = n8n.onlyTask();
			await n8n.sim.waitForMedia(4);
			const shades = [20, 30].map((shade) => samplePng([shade, shade, shade]));
			expect(n8n.sim.mediaOf(id).map(({ field, sha256 }) => [field, sha256])).toEqual([
				...shades.map((image) => ['image_urls', sha256Of(image)]),
				['video_urls', sha256Of(sampleMp4())],
				['audio_urls', sha256Of(sampleWav())],
			]);
			expect(savedFiles(fixtures)).toEqual({ [`${id}.mp4`]: sampleMp4() });
		},
	}),
	...playsOf(SURVIVING, {
		'rests until the service calls back, saves what is made after a wrong folder, and says why a video is missing':
			async (fixtures) => {
				const { n8n, place } = fixtures;
				const { sim } = n8n;
				const [made, failed, refused] = listOf(SURVIVING);
				for (const video of [made, failed]) {
					sim.planTask({ ...STANDING_STILL, prompt: video?.prompt, error: BROKEN });
				}
				sim.script({ on: 'create', prompt: refused?.prompt, fault: status(402) });
				const recipe = await fixtures.imported(SURVIVING, NO_FOLDER);
				const id = await n8n.api.runWorkflow(recipe.saved, undefined, 'Start');
				await n8n.api.waitForStatus(id, 'waiting');
				expect(sim.reads()).toEqual([]);
				sim.finish(n8n.taskOf(failed?.prompt).id, 'failed');
				await sim.waitForCallback(({ delivered }) => delivered);
				// One is still being made: it rests again.
				await sim.waitForRequest(() => sim.reads().length >= 2);
				await n8n.api.waitForStatus(id, 'waiting');
				sim.finish(n8n.taskOf(made?.prompt).id);
				const stopped = await n8n.ended(id, 'error');
				await recipe.fillIn(RIGHT_FOLDER);
				place.disturb({ host: GOOGLE, request: 'POST /upload/drive', status: 503 });
				const execution = await n8n.retry(stopped, 'success', true);
				const { id: taskId, prompt } = n8n.taskOf(made?.prompt);
				const summary = '1 of 3 videos were saved';
				const videos = [
					{ saved: false, message: expect.stringContaining('(402)'), prompt: refused?.prompt },
					{
						saved: false,
						message: expect.stringContaining(BROKEN.message),
						prompt: failed?.prompt,
					},
					{ saved: true, taskId, prompt, link: driveLink(fixtures) },
				];
				expect(jsonFrom(execution, 'Report')).toMatchObject([{ summary, videos }]);
				expect(savedFiles(fixtures)).toEqual({ [`${taskId}.mp4`]: sampleMp4() });
				expect(sim.creates()).toHaveLength(3);
			},
	}),
];

export const PLAYS_OF_DRIVE = [...APPROVALS, ...QUEUES, ...FILES];
