import { CHANNEL, FOLDER } from '../../../tools/mock-services';
import { folderSettings } from '../../../tools/mock-services/settings';
import { sampleMp4 } from '../../../tools/simulator/sampleFiles';
import { BROKEN, replyWith } from '../support/workflows';
import { driveLink } from './drivePlays';
import { openLink, type Fixtures } from './fixtures';
import { SHEET, YOUTUBE, playsOf } from './plays';

/** A row as a person writes it. */
export const SHEET_ROW = { prompt: 'A fox', status: 'open' };
const AGAIN = 'Write open to create it again, which costs money.';
const MAY_EXIST = 'Its video may exist: write open only if it does not';

/** What a row's cells say of its video. */
const stateOf = (row: Record<string, unknown> | undefined) => [row?.status, row?.link, row?.note];

const SHEET_PLAYS = playsOf(SHEET, {
	'creates each open row once, saves it, and says why one is missing': async (fixtures) => {
		const { n8n, place } = fixtures;
		const { rows, reopen } = fixtures.sheet(
			SHEET,
			{ prompt: 'A fox', status: 'open' },
			{ prompt: 'An owl', status: 'open' },
			{ prompt: 'Done before', status: 'done', link: 'https://example.com/1' },
			{ prompt: 'Killed before', status: 'creating' },
			{ prompt: '', status: 'open' },
			{ prompt: 'A crow', status: 'open' },
			{ prompt: 'A hare', status: 'open' },
		);
		n8n.sim.planTask({ prompt: 'An owl', outcome: 'failed', error: BROKEN });
		n8n.sim.script({ on: 'create', prompt: 'A crow', fault: replyWith(402) });
		const lost = { createTask: true, fault: { kind: 'reset' } } as const;
		n8n.sim.script({ on: 'create', prompt: 'A hare', ...lost });
		const recipe = await fixtures.imported(SHEET);
		for (let run = 0; run < 2; run++) await recipe.execute();
		expect(rows.map((row) => row.status)).toEqual([
			...['done', 'failed', 'done', 'creating', 'failed', 'failed', 'failed'],
		]);
		expect(stateOf(rows[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(rows[1]?.note).toContain(BROKEN.message);
		expect(rows[4]?.note).toContain('Prompt');
		expect(rows[5]?.note).toContain('402');
		for (const nth of [1, 4, 5]) expect(rows[nth]?.note).toContain(AGAIN);
		expect(rows[6]?.note).toContain(MAY_EXIST);
		expect(place.drive.files.map(({ bytes }) => bytes)).toEqual([sampleMp4()]);
		expect(n8n.sim.tasks.size).toBe(3);

		reopen(5);
		await recipe.execute();
		expect(rows[5]).toMatchObject({ status: 'done', note: '' });
		expect(n8n.sim.tasks.size).toBe(4);
		expect(place.complaints).toEqual([]);
	},
	'after a wrong folder, and Retry, has paid for one video': async (fixtures) => {
		const { rows } = fixtures.sheet(SHEET, SHEET_ROW);
		const recipe = await fixtures.imported(SHEET, folderSettings('1noSuchFolder'));
		const failed = await recipe.execute('error');
		expect(stateOf(rows[0])).toEqual(['creating', '', '']);
		await recipe.execute();
		await recipe.fillIn(folderSettings(FOLDER));
		await fixtures.n8n.retry(failed, 'success', true);
		expect(stateOf(rows[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(fixtures.n8n.sim.tasks.size).toBe(1);
	},
	'creates nothing where a column is missing that n8n writes': async (fixtures) => {
		fixtures.sheet(SHEET, SHEET_ROW).columns = ['prompt', 'status', 'link'];
		await fixtures.run(SHEET);
		expect(fixtures.n8n.sim.requests).toEqual([]);
	},
	'survives one 429 of the sheet and one 503 of the drive without paying again': async (
		fixtures,
	) => {
		const { n8n, place } = fixtures;
		const { rows } = fixtures.sheet(SHEET, SHEET_ROW);
		void place.disturb('values:batchUpdate', 429, 1);
		void place.disturb('POST https://www.googleapis.com/upload/drive', 503);
		await fixtures.run(SHEET);
		expect(stateOf(rows[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(place.drive.files).toHaveLength(1);
		expect(n8n.sim.tasks.size).toBe(1);
	},
	'with runs at the same moment sends one key for a row, and for a row opened again another':
		async (fixtures) => {
			const { n8n } = fixtures;
			n8n.sim.takeIdempotencyKeys('honoured');
			const { reopen } = fixtures.sheet(SHEET, SHEET_ROW);
			const workflow = await n8n.publishCalled(fixtures.recipe(SHEET));
			await Promise.all([workflow.call(''), workflow.call('')]);
			const ended = async () => {
				for (const id of await workflow.executionIds()) await n8n.ended(id);
			};
			await ended();
			expect(n8n.sim.tasks.size).toBe(1);
			reopen(0);
			await workflow.call('');
			await ended();
			expect(n8n.sim.tasks.size).toBe(2);
		},
});

/** Starts the recipe, and waits until it asks in Slack. */
export async function asked(fixtures: Fixtures) {
	const { n8n, place } = fixtures;
	const id = await n8n.start(fixtures.recipe(YOUTUBE));
	await n8n.api.waitForStatus(id, 'waiting');
	const message = place.slack.messages.at(-1);
	const press = async (label: string, ends?: 'error') => {
		await openLink(String(message?.buttons[label]));
		return await n8n.ended(id, ends);
	};
	return { message, press };
}

export const WANTED = { prompt: 'A fox', title: 'The fox', description: 'In snow', status: 'open' };

const YOUTUBE_PLAYS = playsOf(YOUTUBE, {
	'uploads what was approved, and tells Slack and the sheet': async (fixtures) => {
		const { n8n, place } = fixtures;
		const { rows } = fixtures.sheet(YOUTUBE, WANTED, { ...WANTED, prompt: 'Later' });
		const { message, press } = await asked(fixtures);
		expect(message?.text).toContain(n8n.taskOf('A fox').results()[0]);
		expect(rows.map((row) => row.status)).toEqual(['creating', 'open']);
		await press('Approve');
		const [video] = place.youTube.videos;
		expect(place.youTube.videos).toMatchObject([
			{ title: 'The fox', description: 'In snow', privacyStatus: 'private', bytes: sampleMp4() },
		]);
		const link = `https://www.youtube.com/watch?v=${video?.id}`;
		expect(stateOf(rows[0])).toEqual(['done', link, '']);
		expect(place.slack.messages.at(-1)?.text).toContain(link);
		expect(place.slack.messages.map(({ channel }) => channel)).toEqual([CHANNEL, CHANNEL]);
		expect(n8n.sim.tasks.size).toBe(1);
		expect(place.complaints).toEqual([]);
	},
	'uploads nothing that was declined': async (fixtures) => {
		const { rows } = fixtures.sheet(YOUTUBE, WANTED);
		await (await asked(fixtures)).press('Decline');
		const link = fixtures.n8n.onlyTask().results()[0];
		const note = expect.stringContaining('Not approved');
		expect(stateOf(rows[0])).toEqual(['declined', link, note]);
		expect(fixtures.place.youTube.videos).toEqual([]);
	},
	'tells the sheet and Slack why there is no video': async (fixtures) => {
		const { n8n, place } = fixtures;
		const { rows } = fixtures.sheet(YOUTUBE, WANTED);
		n8n.sim.planTask({ outcome: 'failed', error: BROKEN });
		await fixtures.run(YOUTUBE);
		expect(stateOf(rows[0])).toEqual(['failed', '', expect.stringContaining(AGAIN)]);
		expect(place.slack.messages.map(({ text }) => text)).toEqual([
			expect.stringContaining(BROKEN.message),
		]);
	},
	"after YouTube's quota is used up uploads by Retry, without asking or paying again": async (
		fixtures,
	) => {
		const { n8n, place } = fixtures;
		const { rows } = fixtures.sheet(YOUTUBE, WANTED);
		place.youTube.uploadsLeft = 0;
		const failed = await (await asked(fixtures)).press('Approve', 'error');
		place.youTube.uploadsLeft = 1;
		await n8n.retry(failed);
		expect(rows[0]?.status).toBe('done');
		expect(place.youTube.videos).toHaveLength(1);
		expect(place.slack.messages).toHaveLength(2);
		expect(n8n.sim.tasks.size).toBe(1);
	},
});

export const PLAYS_OF_SHEETS = [...SHEET_PLAYS, ...YOUTUBE_PLAYS];
