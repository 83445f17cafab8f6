import { NEWEST } from '../programs/realN8n/versions';
import { testRecipeKills } from './recipes/kills';
import { testServerKill } from './suites/serverKill';
import { version } from './version';

/** What becomes of executions when n8n is killed; the kill of a worker is in queue.test.ts. */
describe(`n8n ${version}`, () => {
	testServerKill(version);
	if (version === NEWEST) testRecipeKills(version);
});
