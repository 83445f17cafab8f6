import { startTestbed, withEditor } from '../../../tools/n8n/testbed';
import { NEWEST, OLDEST, isN8n1 } from '../../../tools/n8n/versions';
import { Suite } from '../support/suite';
import { version } from '../support/version';
import { testAiAgent } from '../suites/aiAgent';
import { testCredential } from '../suites/credential';
import { testEditor } from '../suites/editor';
import { testFiles } from '../suites/files';
import { IN_MEMORY, PUBLIC_NAME, testInputs } from '../suites/inputs';
import { testMcpAtOnce } from '../suites/mcp';
import { testRecipeImport } from '../suites/recipeImport';
import { testRetries } from '../suites/retries';
import { testServerKill, testServerStop } from '../suites/serverEnds';
import { testStopping } from '../suites/stopping';
import { testSubWorkflows } from '../suites/subWorkflows';
import { testWait, TWO_PLACES } from '../suites/wait';

const isNewest = version === NEWEST;
const hasEditor = isNewest || version === OLDEST;
const keepsFilesInMemory = isN8n1(version);

/** What versions of n8n do differently, or may do, on one server; on the newest, what they do alike. */
describe(`n8n ${version}`, () => {
	const env = {
		PUBLIC_NAME,
		// What must not be in a log must not be in any.
		N8N_LOG_LEVEL: 'debug',
		...(isNewest && TWO_PLACES),
		...(hasEditor && withEditor(version)),
	};
	const n8n = new Suite(version, async () => await startTestbed(version, env, true));
	beforeEach(() => n8n.sim.reset());

	testCredential(n8n);
	testRetries(n8n);
	testStopping(n8n);
	testFiles(n8n);
	testInputs(n8n);
	testAiAgent(n8n);
	testRecipeImport(n8n);
	if (hasEditor) testEditor(n8n);
	if (isNewest) {
		testWait(n8n);
		testSubWorkflows(n8n);
		testMcpAtOnce(n8n);
		testServerStop(n8n);
	}
	testServerKill(n8n, keepsFilesInMemory ? IN_MEMORY : {});
	if (keepsFilesInMemory) describe('with files in memory', () => testInputs(n8n, true));
});
