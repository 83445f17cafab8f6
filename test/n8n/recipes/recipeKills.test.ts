/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { Suite } from '../support/suite';
import { KILLS, type Kill } from './kills';
import { Fixtures } from './fixtures';
import { startRecipeEnvironment, type RecipeEnvironment } from './recipeEnvironment';
import { testScenes, type Scene } from '../suites/scenes';
import { version } from '../support/version';

/** What the recipes have paid for when n8n dies by `kill -9` while something is written. */
describe(`the recipes, killed on n8n ${version}`, () => {
	const n8n = new Suite(version, startRecipeEnvironment);
	let fixtures: Fixtures;
	beforeAll(async () => {
		fixtures = await Fixtures.open(n8n);
	});

	const sceneOf =
		({ before, inTheEnd, reach }: Kill): Scene<RecipeEnvironment> =>
		async (stage) => {
			const finish = await reach(await fixtures.aside(stage));
			return async () => {
				expect(stage.sim.tasks.size).toBe(before);
				for (const { id } of stage.tasks()) stage.sim.finish(id);
				await finish();
				expect(stage.sim.tasks.size).toBe(inTheEnd);
			};
		};
	const titleOf = ({ recipe, killed, before, inTheEnd }: Kill): string =>
		`${recipe}, ${killed}: ${before} tasks, ${inTheEnd} in the end`;
	const { KILLS_OF } = process.env;
	const kills = KILLS.filter(({ recipe }) => recipe === (KILLS_OF ?? recipe));
	const scenes = Object.fromEntries(kills.map((kill) => [titleOf(kill), sceneOf(kill)]));
	testScenes(n8n, async () => await n8n.environment.kill(), scenes);
});
