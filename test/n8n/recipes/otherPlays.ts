import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { playVideo } from '../../../tools/browser/nodePanel';
import { BROKEN, jsonFrom, saidBy } from '../support/workflows';
import { PERSON, openLink } from './fixtures';
import {
	AGENT,
	CLAUDE,
	DAILY,
	FORM,
	STORY,
	chatMessage,
	videoNameOf,
	playsOf,
	promptsOf,
	type Play,
} from './plays';
import { visitForm } from './visitor';

/** Those for MCP clients have a suite of their own, too (`suites/mcp.ts`). */
export const OTHER_PLAYS: Play[] = [
	...[undefined, samplePng()].map((image): Play => ({
		recipe: FORM,
		shows: `shows a visitor a video of a ${image ? 'photo' : 'text'}`,
		play: async (fixtures, browser) => {
			const { n8n } = fixtures;
			await fixtures.publish(FORM);
			const visit = await visitForm(n8n, browser, 'Your video is ready', image);
			const node = image ? 'Create Image Video' : 'Create Text Video';
			const model = `videogen-2.5-${image ? 'image' : 'text'}-to-video`;
			expect(n8n.createdBodies()).toMatchObject([{ model, prompt: 'A fox', duration: 10 }]);
			const { id } = n8n.onlyTask();
			if (image) await n8n.sim.waitForMedia(1);
			const fetched = n8n.sim.mediaOf(id).map(({ sha256 }) => sha256);
			expect(fetched).toEqual(image ? [sha256Of(image)] : []);
			expect(await n8n.fileOf(visit.execution.output(node)[0])).toEqual(sampleMp4());
			await visit.page.goto(await visit.link());
			const played = await visit.page.locator('video').evaluate(playVideo);
			expect(played.durationSeconds).toBeGreaterThan(1);
		},
	})),
	...playsOf(DAILY, {
		'saves each video in the bucket, and sends one mail, which says why one is missing': async (
			fixtures,
		) => {
			const { n8n } = fixtures;
			const { bucket, mails } = fixtures.place;
			const [first, refused, third] = promptsOf(DAILY);
			n8n.sim.planTask({ prompt: refused, outcome: 'failed', error: BROKEN });
			const execution = await fixtures.run(DAILY);
			expect(mails).toMatchObject([{ to: PERSON, subject: '2 of 3 videos are ready' }]);
			const lines = mails[0]?.text.split('\n') ?? [];
			for (const prompt of [first, third]) {
				const line = lines.find((text) => text.startsWith(`${prompt}: `));
				const [url = ''] = /\S+$/.exec(String(line)) ?? [];
				expect(url).toContain(`/${videoNameOf(n8n.taskOf(prompt))}`);
				const file = await openLink(url);
				expect(file.headers.get('content-type')).toBe('video/mp4');
				expect(Buffer.from(await file.arrayBuffer())).toEqual(sampleMp4());
			}
			const line = lines.find((text) => text.startsWith(`${refused}: `));
			expect(line).toContain(BROKEN.message);
			expect(line).toContain(`Task ID: ${n8n.taskOf(refused).id}`);
			expect(bucket.keys()).toHaveLength(2);
			expect(`${mails[0]?.text}${execution.raw}`).not.toContain(DEFAULT_API_KEY);
		},
		'after a wrong bucket, and Retry, has paid for each video once': async (fixtures) => {
			const bucket = 'Save to Bucket.bucketName';
			const daily = await fixtures.imported(DAILY, { [bucket]: 'no-such-bucket' });
			const failed = await daily.execute('error');
			expect(saidBy(failed)).toMatch(/bucket/i);
			await daily.fillIn({ [bucket]: fixtures.place.bucket.name });
			await fixtures.n8n.retry(failed, 'success', true);
			expect(fixtures.place.mails).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
			expect(fixtures.n8n.sim.tasks.size).toBe(3);
		},
	}),
	...playsOf(STORY, {
		'creates a clip for each scene once, and a changed scene and those after it again': async (
			fixtures,
		) => {
			const { n8n } = fixtures;
			n8n.sim.planTask({ immediate: true, times: Infinity });
			const scenes = promptsOf(STORY, 'scenes');
			const story = await fixtures.imported(STORY);
			for (let run = 0; run < 2; run++) await story.execute();
			const tasks = scenes.map((prompt) => n8n.taskOf(prompt).record());
			const rows = await fixtures.rows(
				'Videogen stories',
				'prompt',
				'follows',
				'taskId',
				'videoUrl',
			);
			const before = (nth: number) => tasks[nth - 1]?.id ?? '';
			expect(rows).toEqual(
				tasks.map(({ id, results }, nth) => [scenes[nth], before(nth), id, results?.[0]]),
			);
			const [, second, third] = n8n.createdBodies();
			expect([second, third]).toMatchObject(
				tasks.slice(0, 2).map(({ results }) => ({ video_urls: results })),
			);

			const changed = [scenes[0], 'Another scene', scenes[2]];
			await story.fillIn({ scenes: JSON.stringify(changed) });
			await story.execute();
			expect(n8n.sim.tasks.size).toBe(5);
			const another = n8n.taskOf('Another scene').results();
			expect(n8n.createdBodies().at(-1)).toMatchObject({ video_urls: another });
		},
	}),
	...playsOf(AGENT, {
		'makes one video in a chat that it remembers': async (fixtures) => {
			const { n8n } = fixtures;
			const { model } = fixtures.place;
			const agent = await fixtures.imported(AGENT);
			const chat = async (text: string) =>
				jsonFrom(await agent.called(chatMessage(text)), 'AI Agent')[0]?.output;
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
	}),
	...playsOf(FORM, {
		'says why there is no video': async (fixtures, browser) => {
			fixtures.n8n.sim.planTask({ outcome: 'failed', error: BROKEN });
			await fixtures.publish(FORM);
			const { page } = await visitForm(fixtures.n8n, browser, 'There is no video to show');
			const text = await page.locator('body').innerText();
			expect(text).toContain('send the form again');
			expect(text).not.toContain('may exist');
		},
	}),
	...playsOf(CLAUDE, {
		'refuses in words what the month does not allow, and does not count it': async (fixtures) => {
			const { n8n } = fixtures;
			const claude = await fixtures.imported(CLAUDE, { videosPerMonth: '1' });
			const created = await claude.called({ prompt: 'A fox' });
			const { id: taskId } = n8n.onlyTask();
			expect(jsonFrom(created, 'Save Result')).toMatchObject([{ status: 'created', taskId }]);
			const note = expect.stringContaining('the limit of 1 videos this month is reached');
			for (const [prompt, answer] of [
				['An owl', { status: 'refused', taskId: '', note }],
				['A fox', { status: 'refused', taskId }],
			] as const) {
				const execution = await claude.called({ prompt });
				expect(jsonFrom(execution, 'Refuse Request')).toMatchObject([answer]);
			}
			expect(n8n.sim.tasks.size).toBe(1);
			await claude.fillIn({ videosPerMonth: '2' });
			expect(jsonFrom(await claude.called({ prompt: 'A crow' }), 'Save Result')).toHaveLength(1);
			expect(n8n.sim.tasks.size).toBe(2);
		},
	}),
];
