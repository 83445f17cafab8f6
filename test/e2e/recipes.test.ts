import { exampleFiles } from '../programs/realN8n/examples';
import { startTestbed } from '../programs/realN8n/testbed';
import { Suite } from './beds/suite';
import { CLAUDE, HAPPY_PATHS, REFERENCES, REPORT, SURVIVING } from './recipes/happyPaths';
import { Kitchen } from './recipes/kitchen';
import { MISTAKES } from './recipes/mistakes';
import { FORM, Visitor } from './recipes/visitor';
import { testTraces } from './suites/traces';
import { version } from './version';
import { jsonFrom } from './vocabulary';

/** The recipes, each as it is after a person has followed its notes. */
describe(`the recipes on n8n ${version}`, () => {
	const n8n = new Suite(version, startTestbed);
	let kitchen: Kitchen;
	let visitor: Visitor;
	beforeAll(async () => {
		kitchen = await Kitchen.open(n8n);
		visitor = await Visitor.open(kitchen);
	});
	beforeEach(async () => {
		n8n.sim.reset();
		await kitchen.clean();
	});
	afterEach(async () => await visitor.leave());

	it('are all tried', () => {
		const tried = new Set([...HAPPY_PATHS.map(({ recipe }) => recipe), CLAUDE]);
		expect([...tried].sort()).toEqual(exampleFiles());
	});

	it.each(HAPPY_PATHS)('$recipe gives $gives', async ({ play }) => await play(kitchen, visitor));

	it.each(MISTAKES)('$recipe, $mistake: $videos videos', async ({ videos, play }) => {
		await play(kitchen, visitor);
		expect(n8n.sim.tasks.size).toBe(videos);
	});

	describe('with a practice credential, as they are', () => {
		const practising = async () => ({
			videogenApi: await n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() => expect(n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]));

		it.each([
			[REPORT, 'Report'],
			[REFERENCES, 'Create Video'],
			[SURVIVING, 'Report'],
		])('%s shows a practice task in %s', async (file, node) => {
			const recipe = await kitchen.imported(file, {}, await practising());
			expect(JSON.stringify(jsonFrom(await recipe.execute(), node))).toMatch(/"practice-/);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await visitor.findsForm(await practising());
			await visitor.send({}, 'Your video is ready');
			expect(await visitor.link()).toMatch(/^https:\/\/practice\.invalid\//);
		});
	});

	testTraces(n8n);
});
