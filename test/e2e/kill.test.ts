import { NEWEST } from '../n8n/recipes';
import { testContentQueueKill } from './suites/contentQueueKill';
import { testServerKill } from './suites/serverKill';
import { testRecipeKill } from './suites/recipeKill';
import { testStoryInScenesKill } from './suites/storyInScenes';
import { version } from './version';

/** What becomes of executions when n8n is killed; the kill of a worker is in queue.test.ts. */
describe(`n8n ${version}`, () => {
	testServerKill(version);
	if (version === NEWEST) {
		testContentQueueKill(version);
		testRecipeKill(version);
		testStoryInScenesKill(version);
	}
});
