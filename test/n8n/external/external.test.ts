import { TABLE_COLUMNS, prepared, readExample } from '../../../tools/n8n/examples';
import { NEWEST } from '../../../tools/n8n/versions';
import { VIDEOGEN_TYPE, type VideogenSettings } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { sampleMp4 } from '../../../tools/simulator/sampleFiles';
import { Suite } from '../support/suite';
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
import { openExternal } from './environment';

const STORY = 'story-in-scenes.json';

const MISSING = `This n8n has not loaded ${VIDEOGEN_TYPE}. Install the node and restart n8n; n8n 3 needs N8N_UNVERIFIED_PACKAGES_ENABLED=true.`;

describe('an n8n that runs already', () => {
	const n8n = new Suite(NEWEST, openExternal);
	beforeAll(async () => {
		if (!(await n8n.api.typesOf('nodes')).has(VIDEOGEN_TYPE)) throw new Error(MISSING);
	});
	beforeEach(() => n8n.sim.reset());

	/** Start → Videogen, with an item for each prompt. */
	const workflowOf = (prompts: string[], node: Partial<VideogenSettings> = {}) => {
		const parameters = { ...PROMPT_OF_ITEM, ...waiting(), ...node.parameters };
		return n8n.workflow({ items: itemsOf(prompts), ...node, parameters });
	};
	/** The same with another credential. */
	const withCredential = async (data: object) => {
		const service = { apiKey: DEFAULT_API_KEY, baseUrl: n8n.sim.baseUrl, ...data };
		const videogenApi = await n8n.api.createCredential('Videogen test', service);
		const workflow = workflowOf(['fox'], { parameters: { downloadResults: true } });
		const nodes = workflow.nodes.map((node) =>
			node.credentials ? { ...node, credentials: { videogenApi } } : node,
		);
		return { ...workflow, nodes };
	};

	it('has loaded the node and its credential, whose test tells a good key from a bad one', async () => {
		expect((await n8n.api.typesOf('credentials')).has('videogenApi')).toBe(true);
		const data = { environment: 'live', baseUrl: n8n.sim.baseUrl, modelFamily: 'videogen-2.5' };
		const test = async (apiKey: string) =>
			(await n8n.api.testCredential(n8n.environment.credential, { ...data, apiKey })).status;
		expect(await test(DEFAULT_API_KEY)).toBe('OK');
		expect(await test(WRONG_KEY)).toBe('Error');
	});

	it('makes one video for each item, in their order, each with its file', async () => {
		const node = { parameters: { downloadResults: true } };
		const made = await n8n.execute(workflowOf(['fox', 'owl'], node));
		expect(jsonOf(made)).toEqual(n8n.recordsOf(['fox', 'owl']));
		expect(n8n.sim.tasks.size).toBe(2);
		for (const item of output(made)) expect(await n8n.fileOf(item)).toEqual(sampleMp4());
	});

	it('practises without a request', async () => {
		const made = await n8n.execute(await withCredential({ environment: 'practice' }));
		expect(jsonOf(made)).toMatchObject([{ status: 'completed', usage: { practice: true } }]);
		expect(output(made)[0]?.binary?.data?.fileName).toMatch(/practice/i);
		expect(n8n.sim.requests).toEqual([]);
	});

	it('gives a video that fails to the error output, and the others to the success output', async () => {
		n8n.sim.planTask({ prompt: 'fox', outcome: 'failed', error: BROKEN });
		const onError = 'continueErrorOutput';
		const ended = await n8n.execute(workflowOf(['fox', 'owl'], { onError }));
		expect(jsonOf(ended)).toEqual(n8n.recordsOf(['owl']));
		const { id: taskId } = n8n.taskOf('fox');
		expect(jsonOf(ended, 1)).toMatchObject([{ error: { kind: 'moderation', taskId } }]);
	});

	it('stops at a bad key, says so, and creates nothing', async () => {
		const ended = await n8n.execute(await withCredential({ apiKey: WRONG_KEY }), 'error');
		expect(saidBy(ended)).toContain('(401)');
		expect(n8n.sim.tasks.size).toBe(0);
	});

	it('creates nothing at the next click in the editor, unless another worker gets it', async () => {
		const workflow = await n8n.api.createWorkflow(workflowOf(['fox', 'owl']));
		const click = async () => jsonOf(await n8n.ended(await n8n.api.runWorkflow(workflow)));
		const records = [await click(), await click()];
		expect(records).toEqual(Array(2).fill(n8n.recordsOf(['fox', 'owl'])));
		expect(n8n.sim.tasks.size).toBe(2);
	});

	it('runs a recipe with a data table, and makes no clip twice', async () => {
		const table = await n8n.api.createDataTable(
			`Videogen test ${Date.now()}`,
			TABLE_COLUMNS.storiesTable,
		);
		const findsNames = !/^(1|2\.0)\./.test(await n8n.api.version());
		const settings = { storiesTable: findsNames ? table.name : table.id };
		const credentials = { videogenApi: n8n.environment.credential };
		const recipe = prepared(readExample(STORY), { credentials, settings });
		const saved = await n8n.api.createWorkflow(recipe);
		await n8n.ended(await n8n.api.runWorkflow(saved));
		await n8n.ended(await n8n.api.runWorkflow(saved));
		const rows = await n8n.api.rowsOf(table);
		const ids = [...n8n.sim.tasks.keys()];
		expect(ids.length).toBeGreaterThan(1);
		expect(rows.map(({ taskId }) => taskId).sort()).toEqual(ids.sort());
	});
});
