import type { N8nVersion } from '../../programs/realN8n/versions';
import type { NewWorkflow } from '../../programs/realN8n/workflows';
import { Suite, type PublishedWorkflow } from '../beds/suite';
import { startTestbed } from '../../programs/realN8n/testbed';
import { openLink } from '../bucketAndMail';
import { STANDING_STILL, STARTED_TIMEOUT_MS, isPolled } from '../vocabulary';
import { APPROVE, COLLECT, CREATE, DAILY, QUEUE, STORY, listOf } from './happyPaths';
import { Kitchen } from './kitchen';

/** Longer than a test; n8n stays in the node for it. */
const HOLD_MS = 60_000;

/** A recipe, what it was doing when n8n died by `kill -9`, and how many tasks there are. */
interface Kill {
	recipe: string;
	killed: string;
	before: number;
	inTheEnd: number;
	/** Brings the recipe to where n8n is to be killed. */
	reach: (scene: Scene) => Promise<void>;
	/** Brings it to its end, as its notes say. */
	finish: (scene: Scene) => Promise<void>;
}

/** One recipe, and the n8n that is killed. */
class Scene {
	private running: PublishedWorkflow | undefined;

	constructor(readonly kitchen: Kitchen) {}

	/** Calls a published recipe, whose settings have the switch that its notes ask for. */
	async call(file: string, settings: object = { saveExecutionProgress: true }): Promise<void> {
		const { n8n } = this.kitchen;
		const recipe = this.kitchen.recipe(file);
		const workflow: NewWorkflow = { ...recipe, settings: { ...recipe.settings, ...settings } };
		this.running = await n8n.publishCalled(workflow);
		await this.running.call('');
	}

	/** The execution that the call began. */
	get published(): PublishedWorkflow {
		if (this.running === undefined) throw new Error('No recipe was called');
		return this.running;
	}

	/** Resolves when n8n waits for so many tasks. */
	async untilPolled(count: number): Promise<void> {
		const { n8n } = this.kitchen;
		const arePolled = () => {
			const tasks = n8n.tasks();
			return tasks.length === count && tasks.slice(-1).every((task) => isPolled(n8n.sim, task));
		};
		await n8n.sim.waitForRequest(arePolled, STARTED_TIMEOUT_MS);
	}

	async kill(): Promise<void> {
		const { n8n, outside } = this.kitchen;
		await n8n.bed.kill();
		outside.bucket.door.open();
		outside.mailbox.door.open();
		for (const { id } of n8n.tasks()) n8n.sim.finish(id);
		await n8n.bed.restart();
	}

	async retry(): Promise<string> {
		return await this.kitchen.n8n.api.startRetry(
			(await this.published.firstExecution('crashed')).id,
		);
	}

	/** Clicks on *Approve* in the last mail of an execution that waits for it. */
	async approve(executionId: string): Promise<void> {
		const { n8n, outside } = this.kitchen;
		await n8n.api.waitForStatus(executionId, 'waiting');
		await openLink(String(outside.mailbox.mails.at(-1)?.linkOf('Approve')));
		await n8n.ended(executionId);
	}

	async queue(trigger: string): Promise<void> {
		const settings = { checkAfterMinutes: '0' };
		await (await this.kitchen.imported(QUEUE, settings)).execute('success', trigger);
	}

	async startQueue(trigger: string): Promise<void> {
		const { n8n } = this.kitchen;
		const { saved } = await this.kitchen.imported(QUEUE);
		await n8n.api.runWorkflow(saved, undefined, trigger);
	}

	async addRow(): Promise<void> {
		const rows = [{ prompt: 'A fox', status: 'open' }];
		await this.kitchen.n8n.api.addRows(this.kitchen.table('table'), rows);
	}
}

const retryDaily = async (scene: Scene) => {
	const { n8n, outside } = scene.kitchen;
	await n8n.ended(await scene.retry());
	expect(outside.mailbox.mails).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
};

const KILLS: Kill[] = [
	{
		recipe: DAILY,
		killed: 'while Create Video waits',
		...{ before: 3, inTheEnd: 6 },
		reach: async (scene) => {
			scene.kitchen.n8n.sim.planTask({ ...STANDING_STILL, times: 3 });
			await scene.call(DAILY);
			await scene.untilPolled(3);
		},
		finish: retryDaily,
	},
	...(['bucket', 'mailbox'] as const).map((place) => ({
		recipe: DAILY,
		killed: place === 'bucket' ? 'during the upload' : 'while the mail is sent',
		...{ before: 3, inTheEnd: 3 },
		reach: async (scene: Scene) => {
			const held = scene.kitchen.outside[place].door.hold();
			await scene.call(DAILY);
			await held;
		},
		finish: retryDaily,
	})),
	{
		recipe: APPROVE,
		killed: 'while the mail with the buttons is sent',
		...{ before: 1, inTheEnd: 2 },
		reach: async (scene) => {
			const held = scene.kitchen.outside.mailbox.door.hold();
			await scene.call(APPROVE);
			await held;
		},
		finish: async (scene) => await scene.approve(await scene.retry()),
	},
	{
		recipe: APPROVE,
		killed: 'while the mail waits for its answer',
		...{ before: 1, inTheEnd: 2 },
		reach: async (scene) => {
			await scene.call(APPROVE, {});
			await scene.published.untilFirstIs('waiting');
		},
		finish: async (scene) => await scene.approve(await scene.published.firstExecutionId()),
	},
	{
		recipe: QUEUE,
		killed: 'between a create and the writing: a person writes its task into the row',
		...{ before: 1, inTheEnd: 1 },
		reach: async (scene) => {
			const { sim } = scene.kitchen.n8n;
			await scene.addRow();
			sim.script({ on: 'create', fault: { kind: 'slow', ms: HOLD_MS } });
			await scene.startQueue(CREATE);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
		},
		finish: async (scene) => {
			const { kitchen } = scene;
			const { n8n } = kitchen;
			for (const trigger of [CREATE, COLLECT, CREATE]) await scene.queue(trigger);
			const error = expect.stringContaining('may have been paid');
			expect(await kitchen.rows('table', 'status', 'error')).toEqual([['sending', error]]);
			const row = { column: 'status', value: 'sending' };
			const written = { status: 'submitted', taskId: n8n.onlyTask().id };
			await n8n.api.updateRows(kitchen.table('table'), row, written);
			await scene.queue(COLLECT);
			expect(await kitchen.rows('table', 'status')).toEqual([['done']]);
		},
	},
	{
		recipe: QUEUE,
		killed: 'while a video is saved',
		...{ before: 1, inTheEnd: 1 },
		reach: async (scene) => {
			const { sim } = scene.kitchen.n8n;
			await scene.addRow();
			sim.planTask({ immediate: true });
			await scene.queue(CREATE);
			sim.script({ on: 'result', fault: { kind: 'stall' } });
			await scene.startQueue(COLLECT);
			await sim.waitForRequest(({ route }) => route === 'result', STARTED_TIMEOUT_MS);
		},
		finish: async (scene) => {
			for (const trigger of [CREATE, COLLECT]) await scene.queue(trigger);
			expect(await scene.kitchen.rows('table', 'status')).toEqual([['done']]);
		},
	},
	{
		recipe: STORY,
		killed: 'while the second clip is waited for: the first is kept',
		...{ before: 2, inTheEnd: 4 },
		reach: async (scene) => {
			const { n8n } = scene.kitchen;
			const [, second] = listOf(STORY, 'Scenes');
			n8n.sim.planTask({ ...STANDING_STILL, prompt: second?.prompt });
			await n8n.start(scene.kitchen.recipe(STORY));
			await scene.untilPolled(2);
		},
		finish: async (scene) => {
			await (await scene.kitchen.imported(STORY)).execute();
			expect(await scene.kitchen.rows('storiesTable', 'scene')).toEqual([['1'], ['2'], ['3']]);
		},
	},
];

/** What the recipes have paid for when n8n dies by `kill -9`. */
export function testRecipeKills(version: N8nVersion): void {
	describe('a recipe, when n8n is killed', () => {
		const n8n = new Suite(version, startTestbed);
		beforeEach(() => n8n.sim.reset());
		const kitchen = new Kitchen(n8n);

		it.each(KILLS)(
			'$recipe, $killed: $before tasks, $inTheEnd in the end',
			async ({ before, inTheEnd, reach, finish }) => {
				const scene = new Scene(kitchen);
				await reach(scene);
				await scene.kill();
				expect(n8n.sim.tasks.size).toBe(before);
				await finish(scene);
				expect(n8n.sim.tasks.size).toBe(inTheEnd);
			},
		);
	});
}
