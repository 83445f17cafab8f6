import { jsonFrom } from '../vocabulary';
import { REFERENCES, REPORT, SURVIVING } from './happyPaths';
import type { Kitchen } from './kitchen';
import { FORM, type Visitor } from './visitor';

/** Recipes that need neither another account nor a callback; with the node that shows it. */
const RUNS = [
	[REPORT, 'Report'],
	[REFERENCES, 'Create Video'],
	[SURVIVING, 'Report'],
] as const;

/** With a practice credential the recipes run as they are, and nothing is sent. */
export function testPracticeRuns(kitchen: Kitchen, visitor: Visitor): void {
	describe('with a practice credential', () => {
		const practising = async () => ({
			videogenApi: await kitchen.n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() =>
			expect(kitchen.n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]),
		);

		it.each(RUNS)('%s shows a practice task in %s', async (file, node) => {
			const recipe = await kitchen.imported(file, {}, await practising());
			expect(JSON.stringify(jsonFrom(await recipe.execute(), node))).toMatch(/"practice-/);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await visitor.findsForm(await practising());
			await visitor.send({}, 'Your video is ready');
			expect(await visitor.link()).toMatch(/^https:\/\/practice\.invalid\//);
		});
	});
}
