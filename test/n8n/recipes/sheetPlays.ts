import { SHEET_COLUMNS } from '../../../tools/n8n/examples';
import { sampleMp4 } from '../../../tools/simulator/sampleFiles';
import { BROKEN, WRONG_KEY, status } from '../support/workflows';
import { driveLink } from './drivePlays';
import { FOLDER, folderSettings, openLink, type Fixtures } from './fixtures';
import { NOW, SHEET, YOUTUBE, playsOf } from './plays';

/** A row as a person writes it. */
export const SHEET_ROW = { prompt: 'A fox', status: 'open' };
const SHEETS = 'sheets.googleapis.com';
const GOOGLE = 'www.googleapis.com';

/** What a row's cells say of its video. */
const told = (row: Record<string, unknown> | undefined) => [row?.status, row?.link, row?.note];

/** A long time ago: whoever had claimed the row is not at it any more. */
export const LONG_AGO = '2026-01-01T00:00:00.000Z 1';

const SHEET_PLAYS = playsOf(SHEET, {
	'makes each open row once, saves it, and says why one is missing': async (fixtures) => {
		const { n8n, place } = fixtures;
		const rows = fixtures.sheet(
			SHEET,
			{ prompt: 'A fox', status: 'open' },
			{ prompt: 'An owl', status: ' Open ' },
			{ prompt: 'Made before', status: 'done', link: 'https://example.com/1' },
			{ prompt: '', status: 'open' },
			{ prompt: 'A crow', status: 'open' },
		);
		n8n.sim.planTask({ prompt: 'An owl', outcome: 'failed', error: BROKEN });
		n8n.sim.script({ on: 'create', prompt: 'A crow', fault: status(402) });
		const recipe = await fixtures.imported(SHEET);
		for (let run = 0; run < 2; run++) await recipe.execute('success', NOW);

		const records = rows.records();
		expect(records.map(({ status: said }) => said)).toEqual([
			...['done', 'failed', 'done', 'open', 'done'],
		]);
		const { files } = place.drive;
		expect(files.map(({ bytes }) => bytes)).toEqual([sampleMp4(), sampleMp4()]);
		expect(told(records[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(told(records[1])).toEqual(['failed', '', expect.stringContaining(BROKEN.message)]);
		expect(records[0]?.taskId).toBe(n8n.taskOf('A fox').id);
		// What was refused for lack of money was created again by the second run.
		expect(n8n.sim.tasks.size).toBe(3);
		expect([...place.google.refreshes.values()].every((count) => count <= 1)).toBe(true);
		expect(place.complaints).toEqual([]);
	},
	'after a wrong folder, and its correction, has paid for one video': async (fixtures) => {
		const { n8n } = fixtures;
		const rows = fixtures.sheet(SHEET, SHEET_ROW);
		const recipe = await fixtures.imported(SHEET, folderSettings('1noSuchFolder'));
		await recipe.execute('success', NOW);
		const note = expect.stringMatching(/found[^]*not created again/);
		expect(told(rows.records()[0])).toEqual(['making', '', note]);
		await recipe.fillIn(folderSettings(FOLDER));
		await recipe.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(n8n.sim.tasks.size).toBe(1);
	},
	'after a wrong API key goes on by itself': async (fixtures) => {
		const { n8n } = fixtures;
		const rows = fixtures.sheet(SHEET, SHEET_ROW);
		const data = { apiKey: WRONG_KEY, baseUrl: n8n.sim.baseUrl };
		const credentials = { videogenApi: await n8n.api.createCredential('Wrong', data) };
		const wrong = await fixtures.imported(SHEET, {}, credentials);
		await wrong.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['open', '', expect.stringMatching(/key/i)]);
		await (await fixtures.imported(SHEET)).execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(n8n.sim.tasks.size).toBe(1);
	},
	'asks a person about a task that the service does not know, and continues with it': async (
		fixtures,
	) => {
		const { sim } = fixtures.n8n;
		const rows = fixtures.sheet(SHEET, { prompt: 'A fox', status: 'making', taskId: 'task_typo' });
		const recipe = await fixtures.imported(SHEET);
		await recipe.execute('success', NOW);
		const note = expect.stringMatching(/set the status to making/);
		expect(told(rows.records()[0])).toEqual(['check', '', note]);
		rows.write(0, { status: 'making', taskId: sim.addTask({ status: 'completed' }).id });
		await recipe.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(sim.tasks.size).toBe(1);
	},
	'says which columns are missing, and creates nothing': async (fixtures) => {
		fixtures.sheet(SHEET, SHEET_ROW).rows[0] = ['prompt', 'status', 'link'];
		const failed = await (await fixtures.imported(SHEET)).execute('error', NOW);
		expect(failed.error?.message).toContain(`: ${SHEET_COLUMNS[SHEET].slice(3).join(', ')}`);
		expect(fixtures.n8n.sim.requests).toEqual([]);
	},
	'survives one 429 of the sheet and one 503 of the drive without paying again': async (
		fixtures,
	) => {
		const { n8n, place } = fixtures;
		const rows = fixtures.sheet(SHEET, SHEET_ROW);
		// The first update claims, and the second writes the task's ID.
		place.disturb({ host: SHEETS, request: 'values:batchUpdate', status: 429, skip: 1 });
		place.disturb({ host: GOOGLE, request: 'POST /upload/drive', status: 503 });
		const recipe = await fixtures.imported(SHEET);
		for (let run = 0; run < 2; run++) await recipe.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(place.drive.files).toHaveLength(1);
		expect(n8n.sim.tasks.size).toBe(1);
	},
	'started twice at once makes each row once': async (fixtures) => {
		const { n8n } = fixtures;
		const prompts = ['A fox', 'An owl'];
		fixtures.sheet(SHEET, ...prompts.map((prompt) => ({ prompt, status: 'open' })));
		const { saved } = await fixtures.imported(SHEET, { 'Wait 5 Seconds.amount': '5' });
		const start = async () => await n8n.api.runWorkflow(saved, undefined, NOW);
		for (const id of await Promise.all([start(), start()])) await n8n.ended(id);
		expect(n8n.tasks().map(({ prompt }) => prompt)).toEqual(expect.arrayContaining(prompts));
		expect(n8n.sim.tasks.size).toBe(2);
		expect(fixtures.place.drive.files).toHaveLength(2);
	},
	'with a provider that honours idempotency keys sends the same key again': async (fixtures) => {
		const { n8n } = fixtures;
		const left = { prompt: 'A fox', status: 'sending', idempotencyKey: 'row 2', claimed: LONG_AGO };
		const rows = fixtures.sheet(SHEET, left);
		const recipe = await fixtures.imported(SHEET, { providerHonoursIdempotencyKeys: 'true' });
		await recipe.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['done', driveLink(fixtures), '']);
		expect(rows.records()[0]?.idempotencyKey).toBe('row 2');
		expect(n8n.sim.tasks.size).toBe(1);
	},
});

/** Starts the recipe, and waits until it asks in Slack. */
export async function asked(fixtures: Fixtures) {
	const { n8n, place } = fixtures;
	const { saved } = await fixtures.imported(YOUTUBE);
	const id = await n8n.api.runWorkflow(saved, undefined, NOW);
	await n8n.api.waitForStatus(id, 'waiting');
	const message = place.slack.messages.at(-1);
	const click = async (label: string) => await openLink(String(message?.buttons[label]));
	const press = async (label: string) => {
		await click(label);
		return await n8n.ended(id);
	};
	return { message, click, press, saved };
}

export const WANTED = { prompt: 'A fox', title: 'The fox', description: 'In snow', status: 'open' };

const YOUTUBE_PLAYS = playsOf(YOUTUBE, {
	'uploads what was approved, and tells Slack and the sheet': async (fixtures) => {
		const { n8n, place } = fixtures;
		const rows = fixtures.sheet(YOUTUBE, WANTED, { ...WANTED, prompt: 'Later' });
		const { message, press } = await asked(fixtures);
		expect(message?.text).toContain(n8n.taskOf('A fox').results()[0]);
		expect(rows.records().map((row) => row.status)).toEqual(['asking', 'open']);
		await press('Approve');
		const [video] = place.youTube.videos;
		expect(place.youTube.videos).toMatchObject([
			{ title: 'The fox', description: 'In snow', privacyStatus: 'private', bytes: sampleMp4() },
		]);
		const link = `https://www.youtube.com/watch?v=${video?.id}`;
		expect(told(rows.records()[0])).toEqual(['done', link, '']);
		expect(place.slack.messages.at(-1)?.text).toContain(link);
		expect(n8n.sim.tasks.size).toBe(1);
		expect(place.complaints).toEqual([]);
	},
	'uploads nothing that was declined': async (fixtures) => {
		const rows = fixtures.sheet(YOUTUBE, WANTED);
		await (await asked(fixtures)).press('Decline');
		expect(told(rows.records()[0])).toEqual(['declined', '', 'Declined in Slack']);
		expect(fixtures.place.youTube.videos).toEqual([]);
	},
	"after YouTube's quota is used up uploads later, without asking or paying again": async (
		fixtures,
	) => {
		const { n8n, place } = fixtures;
		const rows = fixtures.sheet(YOUTUBE, WANTED);
		place.youTube.uploadsLeft = 0;
		const { press, saved } = await asked(fixtures);
		await press('Approve');
		expect(told(rows.records()[0])).toEqual(['approved', '', expect.stringMatching(/quota/i)]);
		place.youTube.uploadsLeft = 1;
		await n8n.ended(await n8n.api.runWorkflow(saved, undefined, NOW));
		expect(rows.records()[0]?.status).toBe('done');
		expect(place.youTube.videos).toHaveLength(1);
		expect(place.slack.messages).toHaveLength(2);
		expect(n8n.sim.tasks.size).toBe(1);
	},
	'after a wrong channel, and its correction, has paid for one video': async (fixtures) => {
		const rows = fixtures.sheet(YOUTUBE, WANTED);
		const recipe = await fixtures.imported(YOUTUBE, { channel: '#nowhere' });
		await recipe.execute('success', NOW);
		expect(told(rows.records()[0])).toEqual(['making', '', expect.stringMatching(/channel/)]);
		await (await asked(fixtures)).press('Approve');
		expect(rows.records()[0]?.status).toBe('done');
		expect(fixtures.n8n.sim.tasks.size).toBe(1);
	},
});

export const PLAYS_OF_SHEETS = [...SHEET_PLAYS, ...YOUTUBE_PLAYS];
