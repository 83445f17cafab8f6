import { FOLDER, IMAGES_FOLDER } from '../../../tools/mock-services';
import { folderSettings } from '../../../tools/mock-services/settings';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../../tools/simulator/sampleFiles';
import { BROKEN, STANDING_STILL, jsonFrom, saidBy, replyWith } from '../support/workflows';
import { PERSON, openLink, type Fixtures } from './fixtures';
import {
	APPROVE,
	IMAGES,
	QUEUE,
	SURVIVING,
	videoNameOf,
	playsOf,
	promptsOf,
	type Play,
} from './plays';

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

const APPROVALS = ['Approve', 'Decline'].map((button): Play => ({
	recipe: APPROVE,
	shows: `sends a draft, and after ${button} saves ${button === 'Approve' ? 'one' : 'no'} final`,
	play: async (fixtures) => {
		const { n8n } = fixtures;
		const { mails } = fixtures.place;
		const id = await n8n.start(fixtures.recipe(APPROVE));
		await n8n.api.waitForStatus(id, 'waiting');
		const [mail] = mails;
		expect(mail).toMatchObject({ to: PERSON, subject: 'Draft: create the final?' });
		expect(mail?.linkOf('Watch the draft')).toBe(n8n.onlyTask().results()[0]);
		await openLink(String(mail?.linkOf(button)));
		await n8n.ended(id);
		// A click that comes later changes nothing.
		await openLink(String(mail?.linkOf('Approve')));
		await n8n.ended(id);

		const isApproved = button === 'Approve';
		const draft = { duration: 4, quality: '480p', aspect_ratio: '16:9' };
		const final = { duration: 10, quality: '720p', aspect_ratio: '16:9' };
		expect(n8n.createdBodies()).toMatchObject(isApproved ? [draft, final] : [draft]);
		const name = videoNameOf(n8n.tasks().at(-1));
		expect(savedFiles(fixtures)).toEqual(isApproved ? { [name]: sampleMp4() } : {});
		const text = expect.stringContaining(driveLink(fixtures));
		expect(mails).toMatchObject(isApproved ? [mail, { to: PERSON, text }] : [mail]);
	},
}));

const QUEUES = playsOf(QUEUE, {
	'takes rows that are due to done or failed, each created once, also after a wrong folder': async (
		fixtures,
	) => {
		const { n8n } = fixtures;
		const { sim } = n8n;
		for (const prompt of ['Completed', 'Cancelled']) sim.planTask({ ...STANDING_STILL, prompt });
		sim.script({ on: 'create', prompt: 'Refused', fault: replyWith(402) });
		const row = { status: 'open', date: '2026-01-31' };
		await n8n.api.addRows(fixtures.table('Videogen queue'), [
			{ ...row, prompt: 'Next year', date: '2999-01-01' },
			{ ...row, prompt: 'Killed before', status: 'creating' },
			...['Completed', 'Cancelled', 'Refused', 'Later'].map((prompt) => ({ ...row, prompt })),
		]);
		const queue = await fixtures.imported(QUEUE, {
			...NO_FOLDER,
			'Get Video.timeoutMinutes': '0.1',
		});
		const rows = async () => await fixtures.rows('Videogen queue', 'status', 'link', 'note');
		await queue.execute();
		const states = ['open', 'creating', 'processing', 'processing', 'failed', 'open'];
		expect((await rows()).map(([state]) => state)).toEqual(states);
		const completed = n8n.taskOf('Completed');
		sim.finish(completed.id);
		sim.finish(n8n.taskOf('Cancelled').id, 'cancelled');
		await queue.execute('error');
		await queue.fillIn(RIGHT_FOLDER);
		sim.finish(n8n.taskOf('Later').id);
		await queue.execute();
		const link = expect.stringContaining('https://drive.google.com/');
		expect(await rows()).toEqual([
			['open', '', ''],
			['creating', '', ''],
			['done', link, ''],
			['failed', '', expect.stringContaining('cancelled')],
			['failed', '', expect.stringContaining('(402)')],
			['done', link, ''],
		]);
		expect(savedFiles(fixtures)[videoNameOf(completed, false)]).toEqual(sampleMp4());
		expect(sim.creates()).toHaveLength(4);
	},
});

const FILES: Play[] = [
	...playsOf(IMAGES, {
		'saves a video of each image after a wrong folder, and names the image that failed': async (
			fixtures,
		) => {
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
			const saved = n8n.tasks().map((task) => [videoNameOf(task), sampleMp4()]);
			expect(savedFiles(fixtures)).toEqual(Object.fromEntries(saved));
			expect(saved).toHaveLength(2);

			n8n.sim.planTask({ outcome: 'failed', error: BROKEN, times: 2 });
			await recipe.fillIn({ prompt: 'Snow falls' });
			const said = saidBy(await recipe.execute('error'));
			for (const part of ['image-0.png', BROKEN.message]) expect(said).toContain(part);
		},
		'creates one video of references, and saves it': async (fixtures) => {
			const { n8n } = fixtures;
			await fixtures.run(IMAGES, { make: 'references' });
			const task = n8n.onlyTask();
			await n8n.sim.waitForMedia(4);
			const shades = [20, 30].map((shade) => samplePng([shade]));
			expect(n8n.sim.mediaOf(task.id).map(({ field, sha256 }) => [field, sha256])).toEqual([
				...shades.map((image) => ['image_urls', sha256Of(image)]),
				['video_urls', sha256Of(sampleMp4())],
				['audio_urls', sha256Of(sampleWav())],
			]);
			expect(savedFiles(fixtures)).toEqual({ [videoNameOf(task)]: sampleMp4() });
		},
	}),
	...playsOf(SURVIVING, {
		'rests until the service calls back, saves what completed after a wrong folder, and reports why a video is missing':
			async (fixtures) => {
				const { n8n } = fixtures;
				const { sim } = n8n;
				const [completed, failed, refused] = promptsOf(SURVIVING);
				for (const prompt of [completed, failed]) {
					sim.planTask({ ...STANDING_STILL, prompt, error: BROKEN });
				}
				sim.script({ on: 'create', prompt: refused, fault: replyWith(402) });
				const recipe = await fixtures.imported(SURVIVING, NO_FOLDER);
				const id = await recipe.start();
				await n8n.api.waitForStatus(id, 'waiting');
				expect(sim.reads()).toEqual([]);
				sim.finish(n8n.taskOf(failed).id, 'failed');
				await sim.waitForCallback(({ delivered }) => delivered);
				// One is still processing: it rests again.
				await sim.waitForRequest(() => sim.reads().length >= 2);
				await n8n.api.waitForStatus(id, 'waiting');
				const task = n8n.taskOf(completed);
				sim.finish(task.id);
				const stopped = await n8n.ended(id, 'error');
				await recipe.fillIn(RIGHT_FOLDER);
				const execution = await n8n.retry(stopped, 'success', true);
				const [report] = jsonFrom(execution, 'Report Results');
				expect(report?.videos).toHaveLength(3);
				expect(report?.videos).toEqual(
					expect.arrayContaining([
						{ file: videoNameOf(task, false), link: driveLink(fixtures) },
						expect.objectContaining({ prompt: refused, error: expect.stringContaining('(402)') }),
						expect.objectContaining({
							taskId: n8n.taskOf(failed).id,
							error: expect.stringContaining(BROKEN.message),
						}),
					]),
				);
				expect(savedFiles(fixtures)).toEqual({ [videoNameOf(task, false)]: sampleMp4() });
				expect(sim.creates()).toHaveLength(3);
			},
	}),
];

export const PLAYS_OF_DRIVE = [...APPROVALS, ...QUEUES, ...FILES];
