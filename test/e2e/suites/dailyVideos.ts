import { fieldsOf, prepared, readExample } from '../../n8n/examples';
import type { Mail } from '../../n8n/mailbox';
import type { NewWorkflow } from '../../n8n/workflows';
import { DEFAULT_API_KEY } from '../../simulator';
import { sampleMp4 } from '../../support/sampleFiles';
import type { Suite } from '../beds/suite';
import { bucketAndMailOf, openLink, type BucketAndMail } from '../bucketAndMail';
import { BROKEN, status } from '../vocabulary';

export const DAILY = 'daily-videos.json';

/** The title and the prompt of each video, as the example has them. */
export const DAILY_VIDEOS = fieldsOf(readExample(DAILY), 'Videos').map(([title, prompt]) => ({
	title,
	prompt,
}));
const EVERY_SECOND = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
const PERSON = 'person@example.com';

/** The example with what a person fills in. */
export const dailyVideos = ({ bucket, credentials }: BucketAndMail): NewWorkflow =>
	prepared(readExample(DAILY), {
		credentials,
		settings: { bucket: bucket.name, link: bucket.url, toEmail: PERSON },
	});

/** Fails unless each of these tasks has its line, with a link that opens the video. */
export async function expectVideos(mail: Mail, videos: Array<{ title: string; id: string }>) {
	for (const { title, id } of videos) {
		const [, url = ''] = new RegExp(`^${title} \\(5 s\\): (\\S+)$`, 'm').exec(mail.text) ?? [];
		expect(url).toMatch(new RegExp(`/videos/\\d{4}-\\d\\d-\\d\\d/${id}\\.mp4$`));
		const file = await openLink(url);
		expect(file.headers.get('content-type')).toBe('video/mp4');
		expect(Buffer.from(await file.arrayBuffer())).toEqual(sampleMp4());
	}
}

/** From the schedule to the bucket and the mail, with real servers. */
export function testDailyVideos(n8n: Suite): void {
	describe(`the videos of ${DAILY}`, () => {
		const outside = bucketAndMailOf(n8n);
		const mails = () => outside().mailbox.mails;
		const made = (videos = DAILY_VIDEOS) =>
			videos.map(({ title, prompt }) => ({ title, id: n8n.taskOf(prompt).id }));
		const [, second] = DAILY_VIDEOS;

		const expectAllMailed = async () => {
			expect(n8n.sim.creates()).toHaveLength(DAILY_VIDEOS.length);
			expect(mails()).toMatchObject([{ to: PERSON, subject: '3 of 3 videos are ready' }]);
			for (const mail of mails()) await expectVideos(mail, made());
		};

		it('are in the bucket, and one mail says where, and why one is missing', async () => {
			n8n.sim.planTask({ prompt: second?.prompt, outcome: 'failed', error: BROKEN });
			const execution = await n8n.execute(dailyVideos(outside()));

			expect(n8n.sim.creates()).toHaveLength(DAILY_VIDEOS.length);
			const saved = made(DAILY_VIDEOS.filter((video) => video !== second));
			const [mail, ...others] = mails();
			if (mail === undefined) throw new Error('There is no mail');
			expect(others).toEqual([]);
			expect(mail).toMatchObject({ to: PERSON, subject: '2 of 3 videos are ready' });
			await expectVideos(mail, saved);
			const { id: failedId } = n8n.taskOf(second?.prompt);
			const line = mail.text.split('\n').find((text) => text.startsWith(`${second?.title}: `));
			expect(line).toContain(BROKEN.message);
			expect(line).toContain(`Task ID: ${failedId}`);
			const keys = await outside().bucket.keys();
			expect(keys.filter((key) => key.includes(failedId))).toEqual([]);
			expect(`${mail.text}${execution.raw}`).not.toContain(DEFAULT_API_KEY);
		});

		it('are none when the service refuses, and the mail says why', async () => {
			n8n.sim.script({ on: 'create', fault: status(402), times: Infinity });
			await n8n.execute(dailyVideos(outside()));

			expect(mails()).toMatchObject([{ subject: '0 of 3 videos are ready' }]);
			expect(mails()[0]?.text.match(/\(402\).*Task ID: none$/gm)).toHaveLength(3);
		});

		it('are saved and mailed by Retry after the bucket was down, and not made again', async () => {
			outside().bucket.door.shut();
			const failed = await n8n.execute(dailyVideos(outside()), 'error');
			expect(mails()).toEqual([]);
			outside().bucket.door.open();
			await n8n.retry(failed);

			await expectAllMailed();
		});

		it('are mailed by Retry after the mail server was down, and not made again', async () => {
			outside().mailbox.door.shut();
			const failed = await n8n.execute(dailyVideos(outside()), 'error');
			expect(mails()).toEqual([]);
			outside().mailbox.door.open();
			outside().bucket.door.shut();
			await n8n.retry(failed);

			outside().bucket.door.open();
			await expectAllMailed();
		});

		it('are made by themselves once it is published', async () => {
			const workflow = dailyVideos(outside());
			const trigger = workflow.nodes.find(({ type }) => type.endsWith('.scheduleTrigger'));
			if (trigger === undefined) throw new Error('There is no schedule');
			trigger.parameters = { rule: EVERY_SECOND };
			const saved = await n8n.api.createWorkflow(workflow);
			await n8n.api.publish(saved);
			await n8n.sim.waitForRequest(({ route }) => route === 'create');
			await n8n.api.unpublish(saved);

			const started = await n8n.api.executionsOf(saved);
			await Promise.all(started.map(async (id) => await n8n.ended(id)));
			expect(mails()).toHaveLength(started.length);
			expect(n8n.sim.creates()).toHaveLength(started.length * DAILY_VIDEOS.length);
		});
	});
}
