import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../tools/browser/chromium';
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
import { visitForm } from './visitor';
import { testTraces } from '../suites/traces';
import { version } from '../support/version';

const PLAYS: Play[] = [...PLAYS_OF_SHEETS, ...PLAYS_OF_BOT, ...PLAYS_OF_DRIVE, ...OTHER_PLAYS];

/** The recipes, each as it is after a person has followed its notes. */
describe(`the recipes on n8n ${version}`, () => {
	const n8n = new Suite(version, startRecipeEnvironment);
	let fixtures: Fixtures;
	let browser: Browser;
	beforeAll(async () => {
		fixtures = await Fixtures.open(n8n);
		browser = n8n.closeAtEnd(await launchChromium());
	});
	beforeEach(async () => {
		n8n.sim.reset();
		await fixtures.clean();
	});

	it('are all tried, and killed', () => {
		for (const tried of [PLAYS, KILLS]) {
			expect([...new Set(tried.map(({ recipe }) => recipe))].sort()).toEqual(exampleFiles());
		}
	});

	it.each(PLAYS)('$recipe $shows', async ({ play }) => await play(fixtures, browser));

	describe('with a practice credential, as they are', () => {
		const practising = async () => ({
			videogenApi: await n8n.api.createCredential('Practice', { environment: 'practice' }),
		});
		afterEach(() => expect(n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]));

		it.each([
			[SHEET, {}, 'done'],
			[IMAGES, { make: 'references' }, 'open'],
		])('%s saves a practice video', async (recipe, settings, rowStatus) => {
			const rows = fixtures.sheet(SHEET, SHEET_ROW);
			await fixtures.run(recipe, settings, await practising());
			expect(rows.records()).toMatchObject([{ status: rowStatus }]);
			const name = expect.stringMatching(/^practice-/);
			expect(fixtures.place.drive.files).toMatchObject([{ name }]);
		});

		it(`${FORM} shows a visitor that it was practice`, async () => {
			await fixtures.publish(FORM, {}, await practising());
			const { link } = await visitForm(n8n, browser, 'Your video is ready');
			expect(await link()).toMatch(/^https:\/\/practice\.invalid\//);
		});
	});

	testTraces(n8n);
});
