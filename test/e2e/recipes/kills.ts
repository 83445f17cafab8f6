import type { PublishedWorkflow, Suite } from '../beds/suite';
import type { Scene } from '../suites/scenes';
import { STANDING_STILL, STARTED_TIMEOUT_MS, isPolled, jsonFrom, untilPolled } from '../vocabulary';
import { APPROVE, COLLECT, CREATE, DAILY, QUEUE, STORY, SURVIVING, listOf } from './happyPaths';
import { Kitchen, openLink } from './kitchen';

/** A recipe, what it was doing when n8n died by `kill -9`, and how many tasks there are. */
interface Kill {
	recipe: string;
	killed: string;
	before: number;
	inTheEnd: number;
	/** Brings the recipe to where n8n dies; gives what brings it to its end, as its notes say. */
	reach: (kitchen: Kitchen) => Promise<() => Promise<void>>;
}

/** Calls a published recipe, with these settings of the workflow and values of its fields. */
async function callRecipe(
	kitchen: Kitchen,
	file: string,
	settings: object = {},
	changes: Record<string, string> = {},
): Promise<PublishedWorkflow> {
	const recipe = kitchen.recipe(file, changes);
	const workflow = await kitchen.n8n.publishCalled({
		...recipe,
		settings: { ...recipe.settings, ...settings },
	});
	await workflow.call('');
	return workflow;
}

/** The content queue by its two schedules. */
async function queue(kitchen: Kitchen, ...triggers: string[]): Promise<void> {
	const recipe = await kitchen.imported(QUEUE, { checkAfterMinutes: '0' });
	for (const trigger of triggers) await recipe.execute('success', trigger);
}

const KILLS: Kill[] = [
	{
		recipe: STORY,
		killed: 'while the second clip is waited for: the first is kept',
		...{ before: 2, inTheEnd: 4 },
		reach: async (kitchen) => {
			const { n8n } = kitchen;
			const [, second] = listOf(STORY, 'Scenes');
			n8n.sim.planTask({ ...STANDING_STILL, prompt: second?.prompt });
			await n8n.start(kitchen.recipe(STORY));
			const isWaiting = () => n8n.tasks().some((task, nth) => nth === 1 && isPolled(n8n.sim, task));
			await n8n.sim.waitForRequest(isWaiting, STARTED_TIMEOUT_MS);
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
			const workflow = await callRecipe(kitchen, APPROVE);
			await workflow.untilFirstIs('waiting');
			const link = String(kitchen.place.mails.at(-1)?.linkOf('Approve'));
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
			const table = kitchen.table('table');
			await api.addRows(table, [{ prompt: 'A fox', status: 'open' }]);
			sim.script({ on: 'create', createTask: true, fault: { kind: 'hang' } });
			await api.runWorkflow((await kitchen.imported(QUEUE)).saved, undefined, CREATE);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
			return async () => {
				await queue(kitchen, CREATE, COLLECT, CREATE);
				const error = expect.stringContaining('may have been paid');
				expect(await kitchen.rows('table', 'status', 'error')).toEqual([['sending', error]]);
				const row = { column: 'status', value: 'sending' };
				const written = { status: 'submitted', taskId: kitchen.n8n.onlyTask().id };
				await api.updateRows(table, row, written);
				await queue(kitchen, COLLECT);
				expect(await kitchen.rows('table', 'status')).toEqual([['done']]);
			};
		},
	},
	{
		recipe: DAILY,
		killed: 'during the upload, with the progress saved as its notes ask for',
		...{ before: 3, inTheEnd: 3 },
		reach: async (kitchen) => {
			const { n8n, place } = kitchen;
			const held = place.bucket.hold();
			const workflow = await callRecipe(kitchen, DAILY, { saveExecutionProgress: true });
			await held;
			return async () => {
				place.bucket.open();
				await n8n.retry(await workflow.firstExecution('crashed'));
				const reports = kitchen.place.mails.filter(({ subject }) => subject.endsWith('are ready'));
				expect(reports).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
			};
		},
	},
];

/** What the recipes have paid for when n8n dies by `kill -9`, and the one that survives it twice. */
export function recipeScenes(n8n: Suite) {
	let kitchen: Kitchen;
	beforeAll(async () => {
		kitchen = await Kitchen.open(n8n);
	});
	const sceneOf =
		({ before, inTheEnd, reach }: Kill): Scene =>
		async (stage) => {
			const finish = await reach(await kitchen.aside(stage));
			return async () => {
				expect(stage.sim.tasks.size).toBe(before);
				for (const { id } of stage.tasks()) stage.sim.finish(id);
				await finish();
				expect(stage.sim.tasks.size).toBe(inTheEnd);
			};
		};
	const titleOf = ({ recipe, killed, before, inTheEnd }: Kill): string =>
		`${recipe}, ${killed}: ${before} tasks, ${inTheEnd} in the end`;

	const prompts = listOf(SURVIVING).map(({ prompt }) => prompt);
	let stage: Suite;
	let workflow: PublishedWorkflow;
	const killedInWait: Scene = async (aside) => {
		stage = aside;
		stage.sim.planTask({ outcome: 'never', times: prompts.length });
		const seconds = { 'Wait 66 Seconds.amount': '66' };
		workflow = await callRecipe(await kitchen.aside(stage), SURVIVING, {}, seconds);
		await workflow.untilFirstIs('waiting');
		return async (requestsAtEnd) => {
			expect(requestsAtEnd).toBe(prompts.length);
			await untilPolled(stage, prompts.length);
		};
	};
	return {
		first: Object.fromEntries(KILLS.map((kill) => [titleOf(kill), sceneOf(kill)])),
		/** To be killed before its wait is over. */
		resting: { [`${SURVIVING}: killed in the Wait, goes on by itself`]: killedInWait },
		/** After the second end of n8n. */
		last: async () => {
			for (const { id } of stage.tasks()) stage.sim.finish(id);
			const again = await stage.retry(await workflow.firstExecution('crashed'));
			const videos = prompts.map((prompt) => ({ saved: true, taskId: stage.taskOf(prompt).id }));
			expect(jsonFrom(again, 'Report')).toMatchObject([{ videos }]);
			expect(stage.sim.creates()).toHaveLength(prompts.length);
		},
	};
}
