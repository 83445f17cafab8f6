import { startTestbed, WITH_EDITOR } from '../../../tools/n8n/testbed';
import { OLDEST, isN8n1 } from '../../../tools/n8n/versions';
import { Suite } from '../support/suite';
import { version } from '../support/version';
import { testAiAgent } from '../suites/aiAgent';
import { testCredential } from '../suites/credential';
import { testEditor } from '../suites/editor';
import { testFiles } from '../suites/files';
import { PUBLIC_NAME, testInputs } from '../suites/inputs';
import { testRecipeImport } from '../suites/recipeImport';
import { testRetries } from '../suites/retries';
import { testStopping } from '../suites/stopping';
import { testServerKill } from '../suites/serverKill';

/** What versions of n8n do differently, or may do, on one server. */
describe(`n8n ${version}`, () => {
	// What must not be in a log must not be in any.
	const env = { ...WITH_EDITOR, N8N_LOG_LEVEL: 'debug', PUBLIC_NAME };
	const n8n = new Suite(version, async () => await startTestbed(version, env, true));
	beforeEach(() => n8n.sim.reset());

	testCredential(n8n);
	testRetries(n8n);
	testStopping(n8n);
	testFiles(n8n);
	testInputs(n8n);
	testAiAgent(n8n);
	testRecipeImport(n8n);
	// The editor of the newest n8n is in newest/features.test.ts.
	if (version === OLDEST) testEditor(n8n);
	// Looks at what all the others have left behind.
	testServerKill(n8n);
});

// As n8n 1 is, unless it is told otherwise.
if (isN8n1(version)) {
	describe(`n8n ${version} with files in memory`, () => {
		const env = { PUBLIC_NAME, N8N_DEFAULT_BINARY_DATA_MODE: 'default' };
		testInputs(new Suite(version, async () => await startTestbed(version, env)), true);
	});
}
