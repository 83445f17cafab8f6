import { asText } from '../../../tools/n8n/openAi';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { BROKEN, jsonFrom, saidBy } from '../support/workflows';
import { PERSON, openLink } from './fixtures';
import { AGENT, CLAUDE, DAILY, FORM, STORY, listOf, playsOf, type Play } from './plays';

/** Those for MCP clients have a suite of their own, too (`suites/mcp.ts`). */
export const OTHER_PLAYS: Play[] = [
	...[undefined, samplePng()].map((image): Play => ({
		recipe: FORM,
		shows: `shows a visitor a video of a ${image ? 'photo' : 'text'}`,
		play: async ({ n8n }, visitor) => {
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
	...playsOf(DAILY, {
		'saves each video in the bucket, and sends one mail, which says why one is missing': async (
			fixtures,
		) => {
			const { n8n } = fixtures;
			const { bucket, mails } = fixtures.place;
			const [first, refused, third] = listOf(DAILY);
			n8n.sim.planTask({ prompt: refused?.prompt, outcome: 'failed', error: BROKEN });
			const execution = await (await fixtures.imported(DAILY)).execute();

			const [mail, ...others] = mails;
			expect(others).toEqual([]);
			expect(mail).toMatchObject({ to: PERSON, subject: '2 of 3 videos are ready' });
			const lines = mail?.text.split('\n') ?? [];
			for (const made of [first, third]) {
				const line = lines.find((text) =>
					text.startsWith(`${made?.title} (5 s), ${made?.prompt}: `),
				);
				const [url = ''] = /\S+$/.exec(String(line)) ?? [];
				const { id } = n8n.taskOf(made?.prompt);
				expect(url).toMatch(new RegExp(`/videos/\\d{4}-\\d\\d-\\d\\d/${id}\\.mp4$`));
				const file = await openLink(url);
				expect(file.headers.get('content-type')).toBe('video/mp4');
				expect(Buffer.from(await file.arrayBuffer())).toEqual(sampleMp4());
			}
			const line = lines.find((text) => text.startsWith(`${refused?.title}, ${refused?.prompt}: `));
			expect(line).toContain(BROKEN.message);
			expect(line).toContain(`Task ID: ${n8n.taskOf(refused?.prompt).id}`);
			expect(await bucket.keys()).toHaveLength(2);
			expect(`${mail?.text}${execution.raw}`).not.toContain(DEFAULT_API_KEY);
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
		'makes a clip for each scene, following on from the one before, once': async (fixtures) => {
			const { n8n } = fixtures;
			n8n.sim.planTask({ immediate: true, times: Infinity });
			const story = await fixtures.imported(STORY);
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
		'makes a scene that is changed, and those after it, again': async (fixtures) => {
			fixtures.n8n.sim.planTask({ immediate: true, times: Infinity });
			const [first, second, third] = listOf(STORY, 'Scenes');
			const story = await fixtures.imported(STORY);
			await story.execute();
			const before = fixtures.n8n.tasks();
			await story.fillIn({ [`Scenes.${second?.title}`]: 'Another scene' });
			const execution = await story.execute();
			const [, , , changed, last] = fixtures.n8n.tasks();
			expect(jsonFrom(execution, 'Clips')).toMatchObject([
				{
					clips: [
						{ prompt: first?.prompt, taskId: before[0]?.id },
						{ prompt: 'Another scene', taskId: changed?.id },
						{ prompt: third?.prompt, taskId: last?.id },
					],
				},
			]);
			expect(fixtures.n8n.createdBodies().at(-1)).toMatchObject({ video_urls: changed?.results() });
			expect(fixtures.n8n.sim.tasks.size).toBe(5);
		},
	}),
	...playsOf(AGENT, {
		'makes one video in a chat that it remembers': async (fixtures) => {
			const { n8n } = fixtures;
			const { model } = fixtures.place;
			const { saved } = await fixtures.imported(AGENT);
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
		'creates nothing for a shape that is not offered, and one video when it is corrected': async (
			fixtures,
		) => {
			const { model } = fixtures.place;
			const { saved } = await fixtures.imported(AGENT);
			const call = { prompt: 'A fox in the snow', aspectRatio: 'vertical' };
			const mended = { ...call, aspectRatio: '9:16' };
			model.plan([{ calls: [call] }, { calls: [mended] }, { says: () => 'Here it is' }]);
			const message = { sessionId: 'a-chat', action: 'sendMessage', chatInput: 'A fox' };
			await fixtures.n8n.ended(await fixtures.n8n.api.runWorkflow(saved, message));
			const [refusal] = model.requests.at(1)?.messages.slice(-1) ?? [];
			for (const said of ['vertical', 'Aspect Ratio', '9:16']) {
				expect(asText(refusal?.content)).toContain(said);
			}
			expect(fixtures.n8n.createdBodies()).toMatchObject([{ aspect_ratio: '9:16' }]);
			expect(fixtures.n8n.sim.tasks.size).toBe(1);
		},
	}),
	...playsOf(FORM, {
		'says that a photo as a telephone makes it is no use, and creates nothing for it': async (
			{ n8n },
			visitor,
		) => {
			await visitor.findsForm();
			const buffer = samplePng();
			const photo = { name: 'IMG_0001.heic', mimeType: 'image/heic', buffer };
			await visitor.send({ file: photo }, 'Please change something');
			expect(await visitor.reads()).toContain('JPG, PNG or WebP');
			expect(await visitor.reads()).toContain('No video was created');
			expect(n8n.sim.requests).toEqual([]);
			const image = { name: 'IMG_0001.png', mimeType: 'image/png', buffer };
			await visitor.send({ file: image }, 'Your video is ready');
			expect(n8n.sim.tasks.size).toBe(1);
		},
		'creates nothing for somebody who asks for more seconds than it offers': async (
			{ n8n },
			visitor,
		) => {
			await visitor.findsForm();
			await visitor.sendsByHand(['A fox', '30']);
			expect(n8n.sim.requests).toEqual([]);
			expect(n8n.sim.tasks.size).toBe(0);
		},
	}),
	...playsOf(CLAUDE, {
		'does not create a video again that may exist': async (fixtures) => {
			fixtures.n8n.sim.script({ on: 'create', createTask: true, fault: { kind: 'html' } });
			const claude = await fixtures.imported(CLAUDE, { sameWithinMinutes: '0' });
			for (const state of ['creating', 'repeated']) {
				const execution = await claude.called({ prompt: 'A fox' });
				expect(jsonFrom(execution, 'Answer')).toMatchObject([{ status: state }]);
			}
			expect(fixtures.n8n.sim.tasks.size).toBe(1);
		},
		'refuses in words what the month does not allow, and does not count it': async (fixtures) => {
			const claude = await fixtures.imported(CLAUDE, { maxVideosEachMonth: '1' });
			const note = expect.stringContaining('the limit of 1 videos this month is reached');
			for (const [prompt, answer] of [
				['A fox', { status: 'created' }],
				['An owl', { status: 'over the limit', taskId: '', note }],
				['A fox', { status: 'repeated' }],
			] as const) {
				const execution = await claude.called({ prompt });
				expect(jsonFrom(execution, 'Answer')).toMatchObject([answer]);
			}
			expect(fixtures.n8n.sim.tasks.size).toBe(1);
		},
	}),
];
