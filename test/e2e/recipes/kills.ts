import { startTestbed } from '../../programs/realN8n/testbed';
import type { N8nVersion } from '../../programs/realN8n/versions';
import { Suite, type PublishedWorkflow } from '../beds/suite';
import { openLink } from '../bucketAndMail';
import { testScenes, type Scene } from '../suites/scenes';
import { STANDING_STILL, STARTED_TIMEOUT_MS, isPolled } from '../vocabulary';
import { APPROVE, COLLECT, CREATE, DAILY, QUEUE, STORY, listOf } from './happyPaths';
import { Kitchen } from './kitchen';

/** A recipe, what it was doing when n8n died by `kill -9`, and how many tasks there are. */
interface Kill {
	recipe: string;
	killed: string;
	before: number;
	inTheEnd: number;
	/** Brings the recipe to where n8n dies; gives what brings it to its end, as its notes say. */
	reach: (kitchen: Kitchen) => Promise<() => Promise<void>>;
}

/** Calls a published recipe, whose settings have the switch that its notes ask for. */
async function call(kitchen: Kitchen, file: string, settings?: object): Promise<PublishedWorkflow> {
	const recipe = kitchen.recipe(file);
	const given = { ...recipe.settings, ...(settings ?? { saveExecutionProgress: true }) };
	const workflow = await kitchen.n8n.publishCalled({ ...recipe, settings: given });
	await workflow.call('');
	return workflow;
}

const startRetry = async ({ n8n }: Kitchen, workflow: PublishedWorkflow): Promise<string> =>
	await n8n.api.startRetry((await workflow.firstExecution('crashed')).id);

const retryDaily = (kitchen: Kitchen, workflow: PublishedWorkflow) => async () => {
	await kitchen.n8n.ended(await startRetry(kitchen, workflow));
	const { mails } = kitchen.outside.mailbox;
	expect(mails).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
};

/** Where the button *Approve* of the last mail leads. */
const approval = ({ outside }: Kitchen): string =>
	String(outside.mailbox.mails.at(-1)?.linkOf('Approve'));

/** Resolves when n8n waits for the last of so many tasks. */
async function untilPolled({ n8n }: Kitchen, count: number): Promise<void> {
	const isWaiting = () =>
		n8n.sim.tasks.size === count &&
		n8n
			.tasks()
			.slice(-1)
			.every((task) => isPolled(n8n.sim, task));
	await n8n.sim.waitForRequest(isWaiting, STARTED_TIMEOUT_MS);
}

/** The content queue by its two schedules. */
async function queue(kitchen: Kitchen, ...triggers: string[]): Promise<void> {
	const { saved } = await kitchen.imported(QUEUE, { checkAfterMinutes: '0' });
	for (const trigger of triggers) {
		await kitchen.n8n.ended(await kitchen.n8n.api.runWorkflow(saved, undefined, trigger));
	}
}

/** The same of one that does not come to its end. */
async function startQueue(kitchen: Kitchen, trigger: string): Promise<void> {
	const { saved } = await kitchen.imported(QUEUE);
	await kitchen.n8n.api.runWorkflow(saved, undefined, trigger);
}

const addRow = async (kitchen: Kitchen) =>
	await kitchen.n8n.api.addRows(kitchen.table('table'), [{ prompt: 'A fox', status: 'open' }]);

/** A recipe during its upload, or while its mail is sent, with the place that keeps it waiting. */
async function callHeld(kitchen: Kitchen, place: 'bucket' | 'mailbox', file: string) {
	const held = kitchen.outside[place].door.hold();
	const workflow = await call(kitchen, file);
	await held;
	return workflow;
}

/** Those behind whom a door closes are last, and behind the bucket's nobody comes to the mailbox. */
const KILLS: Kill[] = [
	{
		recipe: DAILY,
		killed: 'while Create Video waits',
		...{ before: 3, inTheEnd: 6 },
		reach: async (kitchen) => {
			kitchen.n8n.sim.planTask({ ...STANDING_STILL, times: 3 });
			const workflow = await call(kitchen, DAILY);
			await untilPolled(kitchen, 3);
			return retryDaily(kitchen, workflow);
		},
	},
	{
		recipe: STORY,
		killed: 'while the second clip is waited for: the first is kept',
		...{ before: 2, inTheEnd: 4 },
		reach: async (kitchen) => {
			const [, second] = listOf(STORY, 'Scenes');
			kitchen.n8n.sim.planTask({ ...STANDING_STILL, prompt: second?.prompt });
			await kitchen.n8n.start(kitchen.recipe(STORY));
			await untilPolled(kitchen, 2);
			return async () => {
				await (await kitchen.imported(STORY)).execute();
				expect(await kitchen.rows('storiesTable', 'scene')).toEqual([['1'], ['2'], ['3']]);
			};
		},
	},
	{
		recipe: APPROVE,
		killed: 'while the mail waits for its answer',
		...{ before: 1, inTheEnd: 2 },
		reach: async (kitchen) => {
			const workflow = await call(kitchen, APPROVE, {});
			await workflow.untilFirstIs('waiting');
			const link = approval(kitchen);
			return async () => {
				await openLink(link);
				await workflow.firstExecution();
			};
		},
	},
	{
		recipe: QUEUE,
		killed: 'between a create and the writing: a person writes its task into the row',
		...{ before: 1, inTheEnd: 1 },
		reach: async (kitchen) => {
			const { api, sim } = kitchen.n8n;
			await addRow(kitchen);
			sim.script({ on: 'create', createTask: true, fault: { kind: 'hang' } });
			await startQueue(kitchen, CREATE);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
			return async () => {
				await queue(kitchen, CREATE, COLLECT, CREATE);
				const error = expect.stringContaining('may have been paid');
				expect(await kitchen.rows('table', 'status', 'error')).toEqual([['sending', error]]);
				const row = { column: 'status', value: 'sending' };
				const written = { status: 'submitted', taskId: kitchen.n8n.onlyTask().id };
				await api.updateRows(kitchen.table('table'), row, written);
				await queue(kitchen, COLLECT);
				expect(await kitchen.rows('table', 'status')).toEqual([['done']]);
			};
		},
	},
	{
		recipe: DAILY,
		killed: 'while the mail is sent',
		...{ before: 3, inTheEnd: 3 },
		reach: async (kitchen) => retryDaily(kitchen, await callHeld(kitchen, 'mailbox', DAILY)),
	},
	{
		recipe: APPROVE,
		killed: 'while the mail with the buttons is sent',
		...{ before: 1, inTheEnd: 2 },
		reach: async (kitchen) => {
			const workflow = await callHeld(kitchen, 'mailbox', APPROVE);
			return async () => {
				const id = await startRetry(kitchen, workflow);
				await kitchen.n8n.api.waitForStatus(id, 'waiting');
				await openLink(approval(kitchen));
				await kitchen.n8n.ended(id);
			};
		},
	},
	{
		recipe: DAILY,
		killed: 'during the upload',
		...{ before: 3, inTheEnd: 3 },
		reach: async (kitchen) => retryDaily(kitchen, await callHeld(kitchen, 'bucket', DAILY)),
	},
	{
		recipe: QUEUE,
		killed: 'while a video is saved',
		...{ before: 1, inTheEnd: 1 },
		reach: async (kitchen) => {
			const { sim } = kitchen.n8n;
			await addRow(kitchen);
			sim.planTask({ immediate: true });
			await queue(kitchen, CREATE);
			sim.script({ on: 'result', fault: { kind: 'stall' } });
			await startQueue(kitchen, COLLECT);
			await sim.waitForRequest(({ route }) => route === 'result', STARTED_TIMEOUT_MS);
			return async () => {
				await queue(kitchen, CREATE, COLLECT);
				expect(await kitchen.rows('table', 'status')).toEqual([['done']]);
			};
		},
	},
];

const sceneOf =
	(kitchen: Kitchen, { before, inTheEnd, reach }: Kill): Scene =>
	async (stage) => {
		const finish = await reach(await kitchen.aside(stage));
		return async () => {
			expect(stage.sim.tasks.size).toBe(before);
			for (const { id } of stage.tasks()) stage.sim.finish(id);
			await finish();
			expect(stage.sim.tasks.size).toBe(inTheEnd);
		};
	};

/** What the recipes have paid for when n8n dies by `kill -9`. */
export function testRecipeKills(version: N8nVersion): void {
	describe('a recipe, when n8n is killed', () => {
		const n8n = new Suite(version, startTestbed);
		const kitchen = Kitchen.in(n8n);
		const scenes = KILLS.map((kill): [string, Scene] => [
			`${kill.recipe}, ${kill.killed}: ${kill.before} tasks, ${kill.inTheEnd} in the end`,
			sceneOf(kitchen, kill),
		]);
		testScenes(n8n, async () => await n8n.bed.kill(), Object.fromEntries(scenes));
	});
}
