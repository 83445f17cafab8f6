import { NEWEST } from '../programs/realN8n/versions';
import { Suite } from './beds/suite';
import { startTestbed } from '../programs/realN8n/testbed';
import { testAiAgent } from './suites/aiAgent';
import { testContacts } from './suites/contacts';
import { testCredential } from './suites/credential';
import { testEditor } from './suites/editor';
import { testErrorItems } from './suites/errorItems';
import { testFiles } from './suites/files';
import { testImports } from './suites/imports';
import { testLoops, testWiredBack } from './suites/loops';
import { testMcp } from './suites/mcp';
import { testOperations } from './suites/operations';
import { testPractice } from './suites/practice';
import { testRetries } from './suites/retries';
import { testReuse } from './suites/reuse';
import { testSecrets } from './suites/secrets';
import { testStrangers } from './suites/strangers';
import { testStreaming } from './suites/streaming';
import { testSubWorkflows } from './suites/subWorkflows';
import { testStopping } from './suites/stopping';
import {
	startLateCreate,
	testOrderedCreates,
	testUnansweredCreates,
} from './suites/unansweredCreates';
import { version } from './version';

/** What is the node's own, or a recipe's, and the same on each n8n. */
function testOnNewest(n8n: Suite): void {
	const testLateCreate = startLateCreate(n8n);
	testOperations(n8n);
	testErrorItems(n8n);
	testUnansweredCreates(n8n);
	testLoops(n8n);
	testStreaming(n8n);
	// On the others, it is tested in queue mode.
	testMcp(n8n);
	testLateCreate();
}

/** One server for all of them. */
describe(`n8n ${version}`, () => {
	const n8n = new Suite(
		version,
		// What must not be in a log must not be in any.
		async () => await startTestbed(version, { N8N_LOG_LEVEL: 'debug' }),
	);
	beforeEach(() => n8n.sim.reset());

	// What versions of n8n do differently, or may do.
	testCredential(n8n);
	testImports(n8n);
	testPractice(n8n);
	testRetries(n8n);
	testReuse(n8n);
	testOrderedCreates(n8n);
	testWiredBack(n8n);
	testSubWorkflows(n8n);
	testStopping(n8n);
	testFiles(n8n);
	describe('strangers', () => testStrangers(n8n));
	testAiAgent(n8n);
	testEditor(n8n);
	if (version === NEWEST) testOnNewest(n8n);
	// Look at what all the others have left behind.
	testSecrets(n8n);
	testContacts(n8n);
});
