import type { CredentialRef } from '../../../tools/n8n/api';
import { TABLE_COLUMNS, prepared, readExample } from '../../../tools/n8n/examples';
import {
	VIDEOGEN_TYPE,
	videogenWorkflow,
	type VideogenSettings,
} from '../../../tools/n8n/workflows';
import { sha256Of } from '../../../tools/simulator/sampleFiles';
import {
	BROKEN,
	PROMPT_OF_ITEM,
	WRONG_KEY,
	itemsOf,
	jsonOf,
	output,
	saidBy,
	waiting,
} from '../support/workflows';
import { Place } from './place';

const STORY = 'story-in-scenes.json';

const MISSING = `This n8n has not loaded ${VIDEOGEN_TYPE}. Install the node and restart n8n; n8n 3 needs N8N_UNVERIFIED_PACKAGES_ENABLED=true.`;

describe('an n8n that runs already', () => {
	let place: Place;
	let credential: CredentialRef;
	beforeAll(async () => {
		place = await Place.open();
		if (!(await place.api.typesOf('nodes')).includes(VIDEOGEN_TYPE)) throw new Error(MISSING);
		credential = await place.credential();
	});
	beforeEach(() => {
		place.sim.reset();
	});
	afterAll(async () => await place?.close());

	/** Start → Videogen, with an item for each prompt. */
	const save = async (
		prompts: string[],
		node: Partial<VideogenSettings> = {},
		used = credential,
	) => {
		const parameters = { ...PROMPT_OF_ITEM, ...waiting(), ...node.parameters };
		const named = { name: prompts.join(', '), credential: used, items: itemsOf(prompts) };
		return await place.save(videogenWorkflow({ ...named, ...node, parameters }));
	};
	const run = async (...wanted: Parameters<typeof save>) =>
		await place.click(await save(...wanted));
	const tasksOf = (prompt: string) =>
		[...place.sim.tasks.values()].filter((task) => task.prompt === prompt);

	it('has loaded the node and its credential, whose test tells a good key from a bad one', async () => {
		expect(await place.api.typesOf('credentials')).toContain('videogenApi');
		const data = { environment: 'live', baseUrl: place.sim.baseUrl, modelFamily: 'videogen-2.5' };
		const test = async (apiKey: string) =>
			(await place.api.testCredential(credential, { ...data, apiKey })).status;
		expect(await test(place.apiKey)).toBe('OK');
		expect(await test(WRONG_KEY)).toBe('Error');
	});

	it('makes one video for each item, in their order, each with its file', async () => {
		const made = await run(['fox', 'owl'], { parameters: { downloadResults: true } });
		const tasks = ['fox', 'owl'].flatMap(tasksOf);
		expect(jsonOf(made)).toEqual(tasks.map((task) => task.record()));
		expect(place.sim.tasks.size).toBe(2);
		for (const [index, item] of output(made).entries()) {
			const [url = ''] = tasks[index]?.results() ?? [];
			const served = Buffer.from(await (await fetch(place.hereOf(url))).arrayBuffer());
			expect(sha256Of(await place.fileOf(item))).toBe(sha256Of(served));
		}
	});

	it('practises without a request', async () => {
		const practice = await place.credential({ environment: 'practice' });
		const made = await run(['fox'], { parameters: { downloadResults: true } }, practice);
		expect(jsonOf(made)).toMatchObject([{ status: 'completed', usage: { practice: true } }]);
		expect(output(made)[0]?.binary?.data?.fileName).toMatch(/practice/i);
		expect(place.sim.requests).toEqual([]);
	});

	it('gives a video that fails to the error output, and the others to the success output', async () => {
		place.sim.planTask({ prompt: 'fox', outcome: 'failed', error: BROKEN });
		const ended = await run(['fox', 'owl'], { onError: 'continueErrorOutput' });
		expect(jsonOf(ended)).toEqual(tasksOf('owl').map((task) => task.record()));
		const [{ id: taskId } = { id: '' }] = tasksOf('fox');
		expect(jsonOf(ended, 1)).toMatchObject([{ error: { kind: 'moderation', taskId } }]);
	});

	it('stops at a bad key, says so, and creates nothing', async () => {
		const ended = await run(['fox'], {}, await place.credential({ apiKey: WRONG_KEY }));
		expect(ended.status).toBe('error');
		expect(saidBy(ended)).toContain('(401)');
		expect(place.sim.tasks.size).toBe(0);
	});

	it('creates nothing at the next click in the editor, unless another worker gets it', async () => {
		const workflow = await save(['fox', 'owl']);
		const clicks = [await place.click(workflow), await place.click(workflow)];
		const records = ['fox', 'owl'].flatMap(tasksOf).map((task) => task.record());
		expect(clicks.map((click) => jsonOf(click))).toEqual([records, records]);
		expect(place.sim.tasks.size).toBe(2);
	});

	it('runs a recipe with a data table, and makes no clip twice', async () => {
		const table = await place.table(TABLE_COLUMNS.storiesTable);
		const findsNames = !/^(1|2\.0)\./.test(await place.api.version());
		const settings = { storiesTable: findsNames ? table.name : table.id };
		const credentials = { videogenApi: credential };
		const recipe = await place.save(prepared(readExample(STORY), { credentials, settings }));
		const clicks = [await place.click(recipe), await place.click(recipe)];
		expect(clicks.map(({ status }) => status)).toEqual(['success', 'success']);
		const rows = await place.api.rowsOf(table);
		const ids = [...place.sim.tasks.keys()];
		expect(ids.length).toBeGreaterThan(1);
		expect(rows.map(({ taskId }) => taskId).sort()).toEqual(ids.sort());
	});
});
