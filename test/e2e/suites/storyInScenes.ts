import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { DataTable, Execution } from '../../n8n/api';
import { STORY_COLUMNS, fieldsOf, prepared, readExample, tableSetting } from '../../n8n/examples';
import type { N8nVersion } from '../../n8n/recipes';
import { Suite } from '../beds/suite';
import { startTestbed } from '../beds/testbed';
import { BROKEN, STARTED_TIMEOUT_MS, isPolled, jsonFrom } from '../vocabulary';

export const STORY = 'story-in-scenes.json';

const PROMPTS = fieldsOf(readExample(STORY), 'Scenes').map(([, prompt]) => prompt);
const [FIRST = '', SECOND = ''] = PROMPTS;
const bodySchema = z.object({ video_urls: z.array(z.string()).optional() });
/** Longer than the test; n8n stays in the node for it. */
const HOLD_MS = 60_000;

/** One story, its table, and the workflow as it is after a person has followed the notes. */
class Story {
	private constructor(
		private readonly n8n: Suite,
		private readonly table: DataTable,
	) {}

	/** A story of which nothing has been made, at a service that finishes its tasks at once. */
	static async of(n8n: Suite): Promise<Story> {
		n8n.sim.planTask({ immediate: true, times: Infinity });
		return new Story(n8n, await n8n.api.createDataTable(`Story ${randomUUID()}`, STORY_COLUMNS));
	}

	async start(): Promise<string> {
		const { bed, version } = this.n8n;
		const settings = { story: STORY, storiesTable: tableSetting(this.table, version) };
		const credentials = { videogenApi: bed.credential };
		return await this.n8n.start(prepared(readExample(STORY), { credentials, settings }));
	}

	/** How often the service was asked to create each scene, in the order of the scenes. */
	creates(): number[] {
		const prompts = this.n8n.sim.creates().map(({ prompt }) => prompt);
		return PROMPTS.map((wanted) => prompts.filter((prompt) => prompt === wanted).length);
	}

	/** Fails unless each scene has one row and one clip, which is the reference of the next one. */
	async expectMade(execution: Execution): Promise<void> {
		const tasks = new Map(this.n8n.tasks().map((task) => [task.prompt, task]));
		const clips = PROMPTS.map((prompt, index) => {
			const task = tasks.get(prompt);
			const scene = String(index + 1);
			return { scene, prompt, taskId: task?.id, videoUrl: task?.results()[0] };
		});
		expect(jsonFrom(execution, 'Clips')).toEqual([{ clips }]);
		expect(await this.rows()).toMatchObject(clips.map((clip) => ({ story: STORY, ...clip })));
		for (const { json, prompt = '' } of this.n8n.sim.creates()) {
			const before = clips[PROMPTS.indexOf(prompt) - 1];
			const { video_urls: references } = bodySchema.parse(json);
			expect([prompt, references]).toEqual([prompt, before && [before.videoUrl]]);
		}
	}

	async rows(): Promise<unknown[]> {
		const rows = await this.n8n.api.rowsOf(this.table);
		return rows.sort((one, other) => Number(one.scene) - Number(other.scene));
	}
}

/** Clips that follow on from each other: a clip that is made is never paid for again. */
export function testStoryInScenes(n8n: Suite): void {
	describe(`the story of ${STORY}`, () => {
		it('is made one clip after the other, and is not made again', async () => {
			const story = await Story.of(n8n);
			for (const time of ['first', 'second']) {
				const execution = await n8n.ended(await story.start());
				expect([time, ...story.creates()]).toEqual([time, 1, 1, 1]);
				await story.expectMade(execution);
			}
		});

		it('stops at a scene that fails, and goes on from there by Retry', async () => {
			const story = await Story.of(n8n);
			n8n.sim.planTask({ prompt: SECOND, outcome: 'failed', immediate: true, error: BROKEN });
			const stopped = await n8n.ended(await story.start(), 'error');
			expect(stopped.error?.message).toContain(BROKEN.message);
			expect(story.creates()).toEqual([1, 1, 0]);
			expect(await story.rows()).toMatchObject([{ prompt: FIRST }]);

			await story.expectMade(await n8n.retry(stopped));
			expect(story.creates()).toEqual([1, 2, 1]);
		});
	});
}

/** The same when n8n dies by `kill -9`: the scene that was being made is alone paid for again. */
export function testStoryInScenesKill(version: N8nVersion): void {
	describe(`the story of ${STORY}, when n8n is killed`, () => {
		const n8n = new Suite(version, startTestbed);
		beforeEach(() => n8n.sim.reset());
		const moments = PROMPTS.flatMap((prompt, index) => {
			const isSent = () => n8n.tasks().some((task) => task.prompt === prompt);
			const isPolledFor = () =>
				n8n.tasks().some((task) => task.prompt === prompt && isPolled(n8n.sim, task));
			const scene = { prompt, index, scene: index + 1 };
			return [
				{ ...scene, when: 'before its create is answered', slowMs: HOLD_MS, hasCome: isSent },
				{ ...scene, when: 'while it is waited for', slowMs: 0, hasCome: isPolledFor },
			];
		});

		it.each(moments)(
			'in scene $scene, $when: the next execution goes on with it',
			async (moment) => {
				const { prompt, index, slowMs, hasCome } = moment;
				const story = await Story.of(n8n);
				n8n.sim.script({ on: 'create', prompt, fault: { kind: 'slow', ms: slowMs } });
				n8n.sim.planTask({ prompt, outcome: 'never' });
				await story.start();
				await n8n.sim.waitForRequest(hasCome, STARTED_TIMEOUT_MS);
				await n8n.bed.kill();
				await n8n.bed.restart();
				expect(story.creates()).toEqual(PROMPTS.map((_, at) => (at <= index ? 1 : 0)));

				await story.expectMade(await n8n.ended(await story.start()));
				expect(story.creates()).toEqual(PROMPTS.map((_, at) => (at === index ? 2 : 1)));
			},
		);
	});
}
