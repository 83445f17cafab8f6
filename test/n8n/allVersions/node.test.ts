import { NEWEST } from '../../../tools/n8n/versions';
import { Suite } from '../support/suite';
import { startTestbed } from '../../../tools/n8n/testbed';
import { testAiAgent } from '../suites/aiAgent';
import { testCredential } from '../suites/credential';
import { testEditor } from '../suites/editor';
import { testEqualItems } from '../suites/equalItems';
import { testFiles } from '../suites/files';
import { testMcpAtOnce } from '../suites/mcp';
import { testRetries } from '../suites/retries';
import { testReuse } from '../suites/reuse';
import { testEchoedSecrets } from '../suites/echoedSecrets';
import { testSubWorkflows } from '../suites/subWorkflows';
import { testStopping } from '../suites/stopping';
import { testTraces } from '../suites/traces';
import { testTransientFailures } from '../suites/transientFailures';
import { testValues } from '../suites/values';
import { version } from '../support/version';

/** One server for all of them. */
describe(`n8n ${version}`, () => {
	const n8n = new Suite(
		version,
		// What must not be in a log must not be in any.
		async () => await startTestbed(version, { N8N_LOG_LEVEL: 'debug' }, true),
	);
	beforeEach(() => n8n.sim.reset());

	// What versions of n8n do differently, or may do.
	testCredential(n8n);
	testRetries(n8n);
	testEqualItems(n8n);
	testTransientFailures(n8n);
	testValues(n8n);
	testReuse(n8n);
	testSubWorkflows(n8n);
	testStopping(n8n);
	testFiles(n8n);
	testAiAgent(n8n);
	testEditor(n8n);
	if (version === NEWEST) {
		testEchoedSecrets(n8n);
		testMcpAtOnce(n8n);
	}
	// Look at what all the others have left behind.
	testTraces(n8n);
});
