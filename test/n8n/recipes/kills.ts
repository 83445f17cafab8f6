import { VIDEOGEN_NODE } from '../../../tools/n8n/workflows';
import type { PublishedWorkflow } from '../support/suite';
import {
	STANDING_STILL,
	STARTED_TIMEOUT_MS,
	isPolled,
	jsonFrom,
	untilPolled,
} from '../support/workflows';
import { publishBot } from './botPlays';
import { asked, LONG_AGO, SHEET_ROW, WANTED } from './sheetPlays';
import { BOSS, openLink, type Fixtures } from './fixtures';
import { sendByHand } from './visitor';
import { AGENT, APPROVE, BOT, CLAUDE, COLLECT, CREATE, DAILY, FORM, IMAGES, NOW } from './plays';
import { QUEUE, SHEET, STORY, WISH } from './plays';
import { SURVIVING, YOUTUBE, listOf } from './plays';

/** A recipe, what it was doing when n8n died by `kill -9`, and how many tasks there are. */
export interface Kill {
	recipe: string;
	killed: string;
	before: number;
	inTheEnd: number;
	/** Brings the recipe to where n8n dies; gives what brings it to its end, as its notes say. */
	reach: (fixtures: Fixtures) => Promise<() => Promise<void>>;
}

const DRIVE_UPLOAD = { host: 'www.googleapis.com', request: 'POST /upload/drive' };
const YOUTUBE_UPLOAD = { host: 'www.googleapis.com', request: 'POST /upload/youtube' };

/** Calls a published recipe, with these settings of the workflow and values of its fields. */
async function callRecipe(
	fixtures: Fixtures,
	file: string,
	settings = {},
): Promise<PublishedWorkflow> {
	const recipe = fixtures.recipe(file);
	const workflow = await fixtures.n8n.publishCalled({
		...recipe,
		settings: { ...recipe.settings, ...settings },
	});
	await workflow.call('');
	return workflow;
}

/** The content queue by its two schedules. */
async function queue(fixtures: Fixtures, ...triggers: string[]): Promise<void> {
	const recipe = await fixtures.imported(QUEUE, { checkAfterMinutes: '0' });
	for (const trigger of triggers) await recipe.execute('success', trigger);
}

/** The next create makes a task, and is never answered; resolves when n8n has sent it. */
async function createUnanswered({ n8n }: Fixtures, start: () => Promise<unknown>): Promise<void> {
	n8n.sim.script({ on: 'create', createTask: true, fault: { kind: 'hang' } });
	await start();
	await n8n.sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
}

const startSheet = async (fixtures: Fixtures, file = SHEET) => {
	const { saved } = await fixtures.imported(file);
	return await fixtures.n8n.api.runWorkflow(saved, undefined, NOW);
};

const SHEET_KILLS: Kill[] = [
	{
		recipe: SHEET,
		killed: 'between a create and the writing: a person writes its task into the row',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n } = fixtures;
			const rows = fixtures.sheet(SHEET, SHEET_ROW);
			await createUnanswered(fixtures, async () => await startSheet(fixtures));
			const run = async () => await n8n.ended(await startSheet(fixtures));
			return async () => {
				fixtures.open(rows);
				await run();
				expect(rows.records()).toMatchObject([{ status: 'sending' }]);
				rows.write(0, { claimed: LONG_AGO });
				await run();
				const note = expect.stringContaining('The video may exist');
				expect(rows.records()).toMatchObject([{ status: 'check', note }]);
				rows.write(0, { status: 'making', taskId: n8n.onlyTask().id });
				await run();
				expect(rows.records()).toMatchObject([{ status: 'done', note: '' }]);
			};
		},
	},
	{
		recipe: SHEET,
		killed:
			'between a create and the writing, and the provider honours idempotency keys: it goes on',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n } = fixtures;
			n8n.sim.takeIdempotencyKeys('honoured');
			const rows = fixtures.sheet(SHEET, { ...SHEET_ROW, prompt: 'With a key' });
			const { saved } = await fixtures.imported(SHEET, { providerHonoursIdempotencyKeys: 'true' });
			const start = async () => await n8n.api.runWorkflow(saved, undefined, NOW);
			await createUnanswered(fixtures, start);
			return async () => {
				rows.write(0, { claimed: LONG_AGO });
				await n8n.ended(await start());
				const { id: taskId } = n8n.onlyTask();
				expect(rows.records()).toMatchObject([{ status: 'done', taskId }]);
				const keys = n8n.sim.creates().map(({ headers }) => headers['idempotency-key']);
				expect(new Set(keys).size).toBe(1);
			};
		},
	},
	{
		recipe: SHEET,
		killed: 'during the upload into the drive: half an hour later it goes on',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			const rows = fixtures.sheet(SHEET, SHEET_ROW);
			const held = place.hold(DRIVE_UPLOAD);
			await startSheet(fixtures);
			await held;
			return async () => {
				fixtures.open(rows);
				rows.write(0, { claimed: LONG_AGO });
				await n8n.ended(await startSheet(fixtures));
				expect(rows.records()).toMatchObject([{ status: 'done' }]);
				const name = `A fox ${n8n.onlyTask().id}.mp4`;
				expect(place.drive.files.filter((file) => file.name === name)).toHaveLength(1);
			};
		},
	},
	{
		recipe: YOUTUBE,
		killed: 'during the upload to YouTube: a person looks there, and lets it go on',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			const rows = fixtures.sheet(YOUTUBE, { ...WANTED, title: 'Killed' });
			const held = place.hold(YOUTUBE_UPLOAD);
			const { click } = await asked(fixtures);
			await click('Approve');
			await held;
			return async () => {
				fixtures.open(rows);
				rows.write(0, { claimed: LONG_AGO });
				await n8n.ended(await startSheet(fixtures, YOUTUBE));
				const note = expect.stringContaining('Look at your YouTube channel');
				expect(rows.records()).toMatchObject([{ status: 'check', note }]);
				rows.write(0, { status: 'approved' });
				await n8n.ended(await startSheet(fixtures, YOUTUBE));
				expect(rows.records()).toMatchObject([{ status: 'done' }]);
				const uploaded = place.youTube.videos.filter(({ title }) => title === 'Killed');
				expect(uploaded).toHaveLength(1);
			};
		},
	},
	{
		recipe: YOUTUBE,
		killed: 'while Slack waits for an answer: the click still counts',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const rows = fixtures.sheet(YOUTUBE, WANTED);
			const { press } = await asked(fixtures);
			return async () => {
				await press('Approve');
				expect(rows.records()).toMatchObject([{ status: 'done' }]);
			};
		},
	},
];

const OTHER_KILLS: Kill[] = [
	{
		recipe: BOT,
		killed: 'while a video is waited for, and another one was sent: Retry pays for neither again',
		...{ before: 2, inTheEnd: 2 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			const { api, sim } = n8n;
			const saved = await publishBot(fixtures);
			sim.planTask({ ...STANDING_STILL, prompt: 'Waited for' });
			await place.telegram.say({ from: BOSS, text: 'Waited for' });
			await untilPolled(n8n);
			const say = async () => await place.telegram.say({ from: BOSS, text: 'Sent' });
			sim.script({ on: 'create', prompt: 'Sent', createTask: true, fault: { kind: 'hang' } });
			await say();
			await sim.waitForRequest(({ prompt }) => prompt === 'Sent', STARTED_TIMEOUT_MS);
			return async () => {
				const [sent, waitedFor] = await api.executionsOf(saved);
				for (const id of [sent, waitedFor]) {
					await n8n.retry(await n8n.ended(id ?? '', 'crashed'));
				}
				const [maybe, video] = place.telegram.messages.slice(-2);
				expect(maybe?.text).toContain('It may exist');
				expect(video).toMatchObject({ text: 'Waited for', video: expect.any(Buffer) });
				await api.unpublish(saved);
			};
		},
	},
	{
		recipe: STORY,
		killed: 'while the second clip is waited for: the first is kept',
		...{ before: 2, inTheEnd: 4 },
		reach: async (fixtures) => {
			const { n8n } = fixtures;
			const [, second] = listOf(STORY, 'Scenes');
			n8n.sim.planTask({ ...STANDING_STILL, prompt: second?.prompt });
			await n8n.start(fixtures.recipe(STORY));
			const isWaiting = () => n8n.tasks().some((task, nth) => nth === 1 && isPolled(n8n.sim, task));
			await n8n.sim.waitForRequest(isWaiting, STARTED_TIMEOUT_MS);
			return async () => {
				await (await fixtures.imported(STORY)).execute();
				expect(await fixtures.rows('storiesTable', 'scene')).toEqual([['1'], ['2'], ['3']]);
			};
		},
	},
	{
		recipe: APPROVE,
		killed: 'while the mail waits for its answer',
		...{ before: 1, inTheEnd: 2 },
		reach: async (fixtures) => {
			const workflow = await callRecipe(fixtures, APPROVE);
			await workflow.untilFirstIs('waiting');
			const link = String(fixtures.place.mails.at(-1)?.linkOf('Approve'));
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
		reach: async (fixtures) => {
			const { api } = fixtures.n8n;
			const table = fixtures.table('table');
			await api.addRows(table, [{ prompt: 'A fox', status: 'open' }]);
			const { saved } = await fixtures.imported(QUEUE);
			await createUnanswered(fixtures, async () => await api.runWorkflow(saved, undefined, CREATE));
			return async () => {
				await queue(fixtures, CREATE, COLLECT, CREATE);
				const error = expect.stringContaining('may have been paid');
				expect(await fixtures.rows('table', 'status', 'error')).toEqual([['sending', error]]);
				const row = { column: 'status', value: 'sending' };
				const written = { status: 'submitted', taskId: fixtures.n8n.onlyTask().id };
				await api.updateRows(table, row, written);
				await queue(fixtures, COLLECT);
				expect(await fixtures.rows('table', 'status')).toEqual([['done']]);
			};
		},
	},
	{
		recipe: DAILY,
		killed: 'during the upload, with the progress saved as its notes ask for',
		...{ before: 3, inTheEnd: 3 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			const held = place.bucket.hold();
			const workflow = await callRecipe(fixtures, DAILY, { saveExecutionProgress: true });
			await held;
			return async () => {
				place.bucket.open();
				await n8n.retry(await workflow.firstExecution('crashed'));
				const reports = fixtures.place.mails.filter(({ subject }) => subject.endsWith('are ready'));
				expect(reports).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
			};
		},
	},
	{
		recipe: SURVIVING,
		killed: 'while it rests: it goes on by itself when the service calls back',
		...{ before: 3, inTheEnd: 3 },
		reach: async (fixtures) => {
			const { n8n } = fixtures;
			n8n.sim.planTask({ ...STANDING_STILL, times: 3 });
			const workflow = await callRecipe(fixtures, SURVIVING);
			await workflow.untilFirstIs('waiting');
			return async () => {
				// The service has called while n8n was down, and calls again.
				const [task] = n8n.tasks();
				await n8n.sim.forgeCallback(task?.id ?? '', {});
				const [report] = jsonFrom(await workflow.firstExecution(), 'Report');
				expect(report).toMatchObject({ summary: '3 of 3 videos were saved' });
			};
		},
	},
];

/** Recipes that write nothing before the video is there. */
const KILLS_WITHOUT_TABLE: Kill[] = [
	{
		recipe: FORM,
		killed:
			'while a visitor waits, and the provider honours idempotency keys: Retry gets the same video',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n } = fixtures;
			const { api, sim } = n8n;
			sim.takeIdempotencyKeys('honoured');
			sim.planTask(STANDING_STILL);
			const { saved } = await fixtures.imported(FORM);
			await api.publish(saved);
			await sendByHand(api, ['A fox', '5']);
			await untilPolled(n8n);
			return async () => {
				const { id } = await n8n.ended(await api.firstExecutionOf(saved), 'crashed');
				// The last page waits for somebody to open it.
				await api.waitForStatus(await api.startRetry(id, false), 'waiting');
				await api.unpublish(saved);
			};
		},
	},
	{
		recipe: IMAGES,
		killed: 'during the upload: the next click creates and saves another video',
		...{ before: 1, inTheEnd: 2 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			n8n.sim.planTask({ immediate: true });
			const held = place.hold(DRIVE_UPLOAD);
			const images = await fixtures.imported(IMAGES, { make: 'references' });
			await n8n.api.runWorkflow(images.saved);
			await held;
			return async () => {
				await images.execute();
				const name = `${n8n.tasks().at(-1)?.id}.mp4`;
				expect(place.drive.files.filter((file) => file.name === name)).toHaveLength(1);
			};
		},
	},
	{
		recipe: AGENT,
		killed: 'while the video of a chat is generated: nothing creates it again, and Get Task has it',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { n8n, place } = fixtures;
			n8n.sim.planTask(STANDING_STILL);
			place.model.plan([{ calls: [{ prompt: 'A fox', aspectRatio: '9:16' }] }]);
			const { saved } = await fixtures.imported(AGENT);
			const said = { sessionId: 'a-chat', action: 'sendMessage', chatInput: 'A fox' };
			const id = await n8n.api.runWorkflow(saved, said);
			await untilPolled(n8n);
			return async () => {
				await n8n.ended(id, 'crashed');
				const get = { operation: 'getTask', taskId: n8n.onlyTask().id };
				const execution = await n8n.run({ parameters: get });
				expect(jsonFrom(execution, VIDEOGEN_NODE)).toMatchObject([
					{ id: get.taskId, status: 'completed' },
				]);
			};
		},
	},
	{
		recipe: CLAUDE,
		killed: 'between a create and the writing: the same video is not created again',
		...{ before: 1, inTheEnd: 1 },
		reach: async (fixtures) => {
			const { api } = fixtures.n8n;
			const wish = { prompt: 'A fox' };
			const claude = await fixtures.imported(CLAUDE);
			const start = async () => await api.runWorkflow(claude.saved, wish, WISH);
			await createUnanswered(fixtures, start);
			return async () => {
				const answer = jsonFrom(await claude.called(wish), 'Answer');
				const note = expect.stringContaining('another call is creating this video');
				expect(answer).toMatchObject([{ status: 'repeated', taskId: '', note }]);
			};
		},
	},
];

export const KILLS = [...SHEET_KILLS, ...OTHER_KILLS, ...KILLS_WITHOUT_TABLE];
