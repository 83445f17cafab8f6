import { exampleFiles } from '../../../tools/n8n/examples';
import { Suite } from '../support/suite';
import { PLAYS_OF_BOT } from './botPlays';
import { PLAYS_OF_DRIVE } from './drivePlays';
import { KILLS } from './kills';
import { Fixtures } from './fixtures';
import { OTHER_PLAYS } from './otherPlays';
import { FORM, IMAGES, SHEET, type Play } from './plays';
import { startRecipeEnvironment } from './recipeEnvironment';
import { PLAYS_OF_SHEETS, SHEET_ROW } from './sheetPlays';
import { Visitor } from './visitor';
import { testTraces } from '../suites/traces';
import { version } from '../support/version';

const PLAYS: Play[] = [...PLAYS_OF_SHEETS, ...PLAYS_OF_BOT, ...PLAYS_OF_DRIVE, ...OTHER_PLAYS];

/** The recipes, each as it is after a person has followed its notes. */
describe(`the recipes on n8n ${version}`, () => {
	const n8n = new Suite(version, startRecipeEnvironment);
	let fixtures: Fixtures;
	let visitor: Visitor;
	beforeAll(async () => {
		fixtures = await Fixtures.open(n8n);
		visitor = await Visitor.open(fixtures);
	});
	beforeEach(async () => {
		n8n.sim.reset();
		await fixtures.clean();
	});
	afterEach(async () => await visitor.leave());

	it('are all tried, and killed', () => {
		for (const tried of [PLAYS, KILLS]) {
			expect([...new Set(tried.map(({ recipe }) => recipe))].sort()).toEqual(exampleFiles());
		}
	});

	it.each(PLAYS)('$recipe $shows', async ({ play }) => await play(fixtures, visitor));

	describe('with a practice credential, as they are', () => {
		const practising = async () => ({
			videogenApi: await n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() => expect(n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]));

		it(`${SHEET} saves a practice video`, async () => {
			const rows = fixtures.sheet(SHEET, SHEET_ROW);
			const recipe = await fixtures.imported(SHEET, {}, await practising());
			await recipe.execute();
			expect(rows.records()).toMatchObject([{ status: 'done' }]);
			expect(fixtures.place.drive.files).toMatchObject([
				{ name: expect.stringMatching(/^practice-/) },
			]);
		});

		it(`${IMAGES} shows a practice task`, async () => {
			const recipe = await fixtures.imported(IMAGES, { make: 'references' }, await practising());
			await recipe.execute();
			expect(fixtures.place.drive.files).toMatchObject([
				{ name: expect.stringMatching(/^practice-/) },
			]);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await visitor.findsForm(await practising());
			await visitor.send({}, 'Your video is ready');
			expect(await visitor.link()).toMatch(/^https:\/\/practice\.invalid\//);
		});
	});

	testTraces(n8n);
});
