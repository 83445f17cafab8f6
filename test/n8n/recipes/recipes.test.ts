/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../tools/browser/chromium';
import { exampleFiles } from '../../../tools/n8n/examples';
import { Suite } from '../support/suite';
import { PLAYS_OF_BOT } from './botPlays';
import { PLAYS_OF_DRIVE } from './drivePlays';
import { KILLS, type Kill } from './kills';
import { Fixtures } from './fixtures';
import { OTHER_PLAYS } from './otherPlays';
import { FORM, IMAGES, SHEET, type Play } from './plays';
import { startRecipeEnvironment, type RecipeEnvironment } from './recipeEnvironment';
import { PLAYS_OF_SHEETS, SHEET_ROW } from './sheetPlays';
import { visitForm } from './visitor';
import { testScenes, type Scene } from '../suites/scenes';
import { version } from '../support/version';

const PLAYS: Play[] = [...PLAYS_OF_SHEETS, ...PLAYS_OF_BOT, ...PLAYS_OF_DRIVE, ...OTHER_PLAYS];

/** The recipes, each as it is after a person has followed its notes. */
describe(`the recipes on n8n ${version}`, () => {
	const n8n = new Suite(version, startRecipeEnvironment);
	let fixtures: Fixtures;
	beforeAll(async () => {
		fixtures = await Fixtures.open(n8n);
	});

	it('are all tried, and killed', () => {
		for (const tried of [PLAYS, KILLS]) {
			expect([...new Set(tried.map(({ recipe }) => recipe))].sort()).toEqual(exampleFiles());
		}
	});

	describe('played', () => {
		let browser: Browser;
		beforeAll(async () => {
			browser = n8n.closeAtEnd(await launchChromium());
		});
		beforeEach(async () => {
			n8n.sim.reset();
			await fixtures.clean();
		});
		// A form that is left open plays and asks on, which costs n8n and this machine time.
		afterEach(async () => {
			for (const context of browser.contexts()) await context.close();
		});
		// What the last one has published, others publish at the same address.
		afterAll(async () => await fixtures.clean());

		it.each(PLAYS)('$recipe $shows', async ({ play }) => await play(fixtures, browser));

		describe('with a practice credential, as they are', () => {
			const practising = async () => ({
				videogenApi: await n8n.api.createCredential('Practice', { environment: 'practice' }),
			});
			afterEach(() =>
				expect(n8n.sim.requests.filter(({ route }) => route !== 'other')).toEqual([]),
			);

			it.each([
				[SHEET, {}, 'done'],
				[IMAGES, { make: 'references' }, 'open'],
			])('%s saves a practice video', async (recipe, settings, rowStatus) => {
				const { rows } = fixtures.sheet(SHEET, SHEET_ROW);
				await fixtures.run(recipe, settings, await practising());
				expect(rows).toMatchObject([{ status: rowStatus }]);
				const name = expect.stringMatching(/^practice-/);
				expect(fixtures.place.drive.files).toMatchObject([{ name }]);
			});

			it(`${FORM} shows a visitor that it was practice`, async () => {
				await fixtures.publish(FORM, {}, await practising());
				const { link } = await visitForm(n8n, browser, 'Your video is ready');
				expect(await link()).toMatch(/^https:\/\/practice\.invalid\//);
			});
		});
	});

	/** What they have paid for when n8n dies by `kill -9` while something is written. */
	describe('killed', () => {
		const sceneOf =
			({ tasks: [before, inTheEnd], reach }: Kill): Scene<RecipeEnvironment> =>
			async (stage) => {
				const finish = await reach(await Fixtures.open(stage, fixtures.place));
				return async () => {
					expect(stage.sim.tasks.size).toBe(before);
					for (const { id } of stage.tasks()) stage.sim.finish(id);
					await finish();
					expect(stage.sim.tasks.size).toBe(inTheEnd);
				};
			};
		const titleOf = ({ recipe, killed, tasks }: Kill): string =>
			`${recipe}, ${killed}: ${tasks.join(' tasks, ')} in the end`;
		const { KILLS_OF } = process.env;
		const kills = KILLS.filter(({ recipe }) => recipe === (KILLS_OF ?? recipe));
		const scenes = Object.fromEntries(kills.map((kill) => [titleOf(kill), sceneOf(kill)]));
		testScenes(n8n, 'kill', scenes);
	});
});
