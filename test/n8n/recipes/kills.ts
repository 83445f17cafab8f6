import { BOT_PERSON } from '../../../tools/mock-services';
import { VIDEOGEN_NODE } from '../../../tools/n8n/workflows';
import { STANDING_STILL, isPolled, jsonFrom, untilPolled } from '../support/workflows';
import { publishBot } from './botPlays';
import { asked, SHEET_ROW, WANTED } from './sheetPlays';
import { openLink, type Fixtures, type Imported } from './fixtures';
import { sendByHand } from './visitor';
import {
	AGENT,
	APPROVE,
	BOT,
	CLAUDE,
	DAILY,
	FORM,
	IMAGES,
	QUEUE,
	SHEET,
	STORY,
	SURVIVING,
	YOUTUBE,
	chatMessage,
	videoNameOf,
	promptsOf,
} from './plays';

/** A recipe, what it was doing when n8n died by `kill -9`, and how many tasks there are. */
export interface Kill {
	recipe: string;
	killed: string;
	tasks: readonly [before: number, inTheEnd: number];
	/** Brings the recipe to where n8n dies; gives what brings it to its end, as its notes say. */
	reach: (fixtures: Fixtures) => Promise<() => Promise<void>>;
}

const kill = (
	recipe: string,
	killed: string,
	tasks: Kill['tasks'],
	reach: Kill['reach'],
): Kill => ({ recipe, killed, tasks, reach });

/** The next create makes a task, and is never answered; resolves when n8n has sent it. */
async function createUnanswered(
	{ n8n }: Fixtures,
	recipe: Imported,
	written?: Record<string, unknown>,
): Promise<void> {
	n8n.sim.script({ on: 'create', createTask: true, fault: { kind: 'hang' } });
	await recipe.start(written);
	await n8n.sim.waitForRequest(({ route }) => route === 'create');
}

export const KILLS = [
	kill(
		SHEET,
		'after a create: no run creates the row again; open, with keys honoured, is the same task',
		[1, 1],
		async (fixtures) => {
			const { sim } = fixtures.n8n;
			sim.takeIdempotencyKeys('honoured');
			const { rows, reopen } = fixtures.sheet(SHEET, SHEET_ROW);
			const sheet = await fixtures.imported(SHEET);
			await createUnanswered(fixtures, sheet);
			return async () => {
				await sheet.execute();
				expect(rows).toMatchObject([{ status: 'creating' }]);
				expect(sim.creates()).toHaveLength(1);
				reopen(0);
				await sheet.execute();
				expect(rows).toMatchObject([{ status: 'done' }]);
			};
		},
	),
	kill(YOUTUBE, 'while Slack waits: the click still counts', [1, 1], async (fixtures) => {
		const { rows } = fixtures.sheet(YOUTUBE, WANTED);
		const { press } = await asked(fixtures);
		return async () => {
			await press('Approve');
			expect(rows).toMatchObject([{ status: 'done' }]);
		};
	}),
	kill(BOT, 'while it waits: Retry says so, and pays nothing', [1, 1], async (fixtures) => {
		const { n8n, place } = fixtures;
		const saved = await publishBot(fixtures);
		n8n.sim.planTask(STANDING_STILL);
		await place.telegram.say({ from: BOT_PERSON, text: 'Waited for' });
		await untilPolled(n8n);
		return async () => {
			await n8n.retry(await n8n.ended(await n8n.api.firstExecutionOf(saved), 'crashed'));
			expect(place.telegram.messages.at(-1)?.text).toContain('may exist');
		};
	}),
	kill(STORY, 'while it waits for the second clip: the first is kept', [2, 4], async (fixtures) => {
		const { n8n } = fixtures;
		const scenes = promptsOf(STORY, 'scenes');
		n8n.sim.planTask({ ...STANDING_STILL, prompt: scenes[1] });
		await n8n.start(fixtures.recipe(STORY));
		const isWaiting = () => n8n.tasks().some((task, nth) => nth === 1 && isPolled(n8n.sim, task));
		await n8n.sim.waitForRequest(isWaiting);
		return async () => {
			await fixtures.run(STORY);
			expect((await fixtures.rows('Videogen stories', 'prompt')).flat()).toEqual(scenes);
		};
	}),
	kill(QUEUE, 'after a create: a person writes its task', [1, 1], async (fixtures) => {
		const { api } = fixtures.n8n;
		const table = fixtures.table('Videogen queue');
		await api.addRows(table, [{ prompt: 'A fox', status: 'open', date: '2026-01-31' }]);
		const queue = await fixtures.imported(QUEUE);
		await createUnanswered(fixtures, queue);
		return async () => {
			await queue.execute();
			expect(await fixtures.rows('Videogen queue', 'status')).toEqual([['creating']]);
			const written = { status: 'processing', taskId: fixtures.n8n.onlyTask().id };
			await api.updateRows(table, { column: 'status', value: 'creating' }, written);
			await queue.execute();
			expect(await fixtures.rows('Videogen queue', 'status')).toEqual([['done']]);
		};
	}),
	kill(CLAUDE, 'after a create: the same prompt is refused', [1, 1], async (fixtures) => {
		const wish = { prompt: 'A fox' };
		const claude = await fixtures.imported(CLAUDE);
		await createUnanswered(fixtures, claude, wish);
		return async () => {
			const answer = jsonFrom(await claude.called(wish), 'Refuse Request');
			const note = expect.stringContaining('may exist');
			expect(answer).toMatchObject([{ status: 'refused', taskId: '', note }]);
		};
	}),
	// Those that follow write nothing before the video is there.
	kill(APPROVE, 'while the mail waits for its answer', [1, 2], async (fixtures) => {
		const { n8n } = fixtures;
		const id = await n8n.start(fixtures.recipe(APPROVE));
		await n8n.api.waitForStatus(id, 'waiting');
		const link = String(fixtures.place.mails.at(-1)?.linkOf('Approve'));
		return async () => {
			await openLink(link);
			await n8n.ended(id);
		};
	}),
	kill(DAILY, 'during the upload, with progress saved', [3, 3], async (fixtures) => {
		const { n8n, place } = fixtures;
		const held = place.bucket.hold();
		const daily = fixtures.recipe(DAILY);
		const settings = { ...daily.settings, saveExecutionProgress: true };
		const id = await n8n.start({ ...daily, settings });
		await held;
		return async () => {
			await n8n.retry(await n8n.ended(id, 'crashed'));
			const reports = place.mails.filter(({ subject }) => subject.endsWith('are ready'));
			expect(reports).toMatchObject([{ subject: '3 of 3 videos are ready' }]);
		};
	}),
	kill(SURVIVING, 'while it rests: the next callback continues it', [3, 3], async (fixtures) => {
		const { n8n } = fixtures;
		n8n.sim.planTask({ ...STANDING_STILL, times: 3 });
		const id = await n8n.start(fixtures.recipe(SURVIVING));
		await n8n.api.waitForStatus(id, 'waiting');
		return async () => {
			// The service has called while n8n was down, and calls again.
			const [task] = n8n.tasks();
			await n8n.sim.forgeCallback(task?.id ?? '', {});
			const [report] = jsonFrom(await n8n.ended(id), 'Report Results');
			const link = expect.stringContaining('drive.google.com');
			expect(report?.videos).toEqual(Array(3).fill(expect.objectContaining({ link })));
		};
	}),
	kill(FORM, 'while a visitor waits, with keys honoured', [1, 1], async (fixtures) => {
		const { api, sim } = fixtures.n8n;
		sim.takeIdempotencyKeys('honoured');
		sim.planTask(STANDING_STILL);
		const form = await fixtures.publish(FORM);
		await sendByHand(api, ['A fox', '5']);
		await untilPolled(fixtures.n8n);
		return async () => {
			const { id } = await fixtures.n8n.ended(await api.firstExecutionOf(form), 'crashed');
			// The last page waits for somebody to open it.
			await api.waitForStatus(await api.startRetry(id, false), 'waiting');
		};
	}),
	kill(IMAGES, 'during the upload: the next click creates again', [1, 2], async (fixtures) => {
		const { n8n, place } = fixtures;
		n8n.sim.planTask({ immediate: true });
		const held = place.disturb('POST https://www.googleapis.com/upload/drive');
		const images = await fixtures.imported(IMAGES, { make: 'references' });
		await images.start();
		await held;
		return async () => {
			await images.execute();
			const name = videoNameOf(n8n.tasks().at(-1));
			expect(place.drive.files.filter((file) => file.name === name)).toHaveLength(1);
		};
	}),
	kill(AGENT, 'while a chat waits: Get Task has its video', [1, 1], async (fixtures) => {
		const { n8n, place } = fixtures;
		n8n.sim.planTask(STANDING_STILL);
		place.model.plan([{ calls: [{ prompt: 'A fox', aspectRatio: '9:16' }] }]);
		const agent = await fixtures.imported(AGENT);
		const id = await agent.start(chatMessage('A fox'));
		await untilPolled(n8n);
		return async () => {
			await n8n.ended(id, 'crashed');
			const parameters = { operation: 'getTask', taskId: n8n.onlyTask().id };
			const [task] = jsonFrom(await n8n.run({ parameters }), VIDEOGEN_NODE);
			expect(task).toMatchObject({ id: parameters.taskId, status: 'completed' });
		};
	}),
];
