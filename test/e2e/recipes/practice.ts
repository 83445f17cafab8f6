import { writeFile } from 'node:fs/promises';
import { pollUntil } from '../../programs/realN8n/poll';
import { samplePng } from '../../programs/support/sampleFiles';
import { jsonFrom } from '../vocabulary';
import {
	CLAUDE,
	COLLECT,
	CREATE,
	FILE,
	QUEUE,
	REFERENCES,
	REPORT,
	STORY,
	SURVIVING,
} from './happyPaths';
import type { Imported, Kitchen } from './kitchen';
import { FORM, type Visitor } from './visitor';

const ID = expect.stringMatching(/^practice-/);
const URL = expect.stringMatching(/^https:\/\/practice\.invalid\//);
const DONE_TIMEOUT_MS = 120_000;

/** What comes out of a recipe whose Videogen credential is one for practice. */
interface Practice {
	recipe: string;
	/** Gets the recipe with that credential. */
	play: (recipe: Imported, kitchen: Kitchen) => Promise<void>;
}

/** Of all recipes that need neither another account nor a callback. */
const RUNS: Practice[] = [
	{
		recipe: REPORT,
		play: async (recipe) => {
			const execution = await recipe.execute();
			expect(jsonFrom(execution, 'Report')).toMatchObject([
				{
					summary: '4 of 4 videos were made',
					videos: Array(4).fill({ taskId: ID, videoUrl: URL }),
				},
			]);
		},
	},
	{
		recipe: STORY,
		play: async (recipe, kitchen) => {
			const clips = Array(3).fill({ taskId: ID, videoUrl: URL });
			expect(jsonFrom(await recipe.execute(), 'Clips')).toMatchObject([{ clips }]);
			const follows = await kitchen.rows('storiesTable', 'follows');
			expect(follows).toEqual([[''], [ID], [ID]]);
		},
	},
	{
		recipe: QUEUE,
		play: async (recipe, kitchen) => {
			const { n8n } = kitchen;
			await n8n.api.addRows(kitchen.table('table'), [{ prompt: 'A fox', status: 'open' }]);
			await recipe.execute('success', CREATE);
			const isDone = async () => {
				await recipe.execute('success', COLLECT);
				const [[status] = []] = await kitchen.rows('table', 'status');
				return status === 'done' || undefined;
			};
			await pollUntil(isDone, { what: 'the row to be done', timeoutMs: DONE_TIMEOUT_MS });
			const file = expect.stringContaining('practice-');
			const row = await kitchen.rows('table', 'taskId', 'result', 'videoUrl', 'error');
			expect(row).toEqual([[ID, file, URL, '']]);
		},
	},
	{
		recipe: FILE,
		play: async (recipe, kitchen) => {
			await writeFile(kitchen.inFolder('image.png'), samplePng());
			const saved = jsonFrom(await recipe.execute(), 'Save to Disk');
			expect(saved).toMatchObject([{ id: ID, fileName: expect.stringContaining('practice-') }]);
		},
	},
	{
		recipe: REFERENCES,
		play: async (recipe, { n8n }) => {
			const [item] = (await recipe.execute()).output('Create Video');
			expect((await n8n.fileOf(item)).subarray(4, 8).toString()).toBe('ftyp');
		},
	},
	{
		recipe: SURVIVING,
		play: async (recipe) => {
			const execution = await recipe.execute();
			expect(jsonFrom(execution, 'Report')).toMatchObject([
				{ summary: '3 of 3 videos were saved', videos: Array(3).fill({ taskId: ID }) },
			]);
		},
	},
	{
		recipe: CLAUDE,
		play: async ({ saved }, { n8n }) => {
			const id = await n8n.api.runWorkflow(saved, { prompt: 'A fox' }, 'Start Was Called');
			const answer = jsonFrom(await n8n.ended(id), 'Answer');
			expect(answer).toMatchObject([{ status: 'ordered', taskId: ID }]);
		},
	},
];

/** On every n8n: with a practice credential the recipes run as they are, and nothing is sent. */
export function testPracticeRuns(kitchen: Kitchen, visitor: Visitor): void {
	describe('with a practice credential', () => {
		const practising = async () => ({
			videogenApi: await kitchen.n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() =>
			expect(kitchen.n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]),
		);

		it.each(RUNS)('$recipe runs to its end', async ({ recipe, play }) => {
			await play(await kitchen.imported(recipe, {}, await practising()), kitchen);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await visitor.findsForm(await practising());
			await visitor.send({}, 'Your video is ready');
			expect(await visitor.link()).toEqual(URL);
		});
	});
}
