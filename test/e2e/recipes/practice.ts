import { writeFile } from 'node:fs/promises';
import type { Execution } from '../../programs/realN8n/api';
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

const DONE_TIMEOUT_MS = 120_000;

/** Plays a recipe whose credential is one for practice, until what was made is known. */
type Play = (recipe: Imported, kitchen: Kitchen) => Promise<Execution>;
const execute: Play = async (recipe) => await recipe.execute();

/** Of all recipes that need neither another account nor a callback; with the node that shows it. */
const RUNS: Array<[recipe: string, node: string, play: Play]> = [
	[REPORT, 'Report', execute],
	[STORY, 'Clips', execute],
	[REFERENCES, 'Create Video', execute],
	[SURVIVING, 'Report', execute],
	[
		FILE,
		'Save to Disk',
		async (recipe, kitchen) => {
			await writeFile(kitchen.inFolder('image.png'), samplePng());
			return await recipe.execute();
		},
	],
	[
		QUEUE,
		'Save to Disk',
		async (recipe, kitchen) => {
			const rows = [{ prompt: 'A fox', status: 'open' }];
			await kitchen.n8n.api.addRows(kitchen.table('table'), rows);
			await recipe.execute('success', CREATE);
			const saved = async () => {
				const execution = await recipe.execute('success', COLLECT);
				return execution.runs('Save to Disk') > 0 ? execution : undefined;
			};
			return await pollUntil(saved, { what: 'the video', timeoutMs: DONE_TIMEOUT_MS });
		},
	],
	[
		CLAUDE,
		'Answer',
		async ({ saved }, { n8n }) =>
			await n8n.ended(await n8n.api.runWorkflow(saved, { prompt: 'A fox' }, 'Start Was Called')),
	],
];

/** With a practice credential the recipes run as they are, and nothing is sent. */
export function testPracticeRuns(kitchen: Kitchen, visitor: Visitor): void {
	describe('with a practice credential', () => {
		const practising = async () => ({
			videogenApi: await kitchen.n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() =>
			expect(kitchen.n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]),
		);

		it.each(RUNS)('%s shows a practice task in %s', async (recipe, node, play) => {
			const execution = await play(await kitchen.imported(recipe, {}, await practising()), kitchen);
			expect(JSON.stringify(jsonFrom(execution, node))).toMatch(/"practice-/);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await visitor.findsForm(await practising());
			await visitor.send({}, 'Your video is ready');
			expect(await visitor.link()).toMatch(/^https:\/\/practice\.invalid\//);
		});
	});
}
