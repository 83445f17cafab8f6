import { Suite } from './beds/suite';
import { startTestbed } from './beds/testbed';
import { testAiAgent } from './suites/aiAgent';
import { testApproveThenFinal } from './suites/approveThenFinal';
import { testContacts } from './suites/contacts';
import { testContentQueue } from './suites/contentQueue';
import { testCredential } from './suites/credential';
import { testDailyVideos } from './suites/dailyVideos';
import { testEditor } from './suites/editor';
import { testErrorItems } from './suites/errorItems';
import { testExamples } from './suites/examples';
import { testFiles } from './suites/files';
import { testFormExample } from './suites/formExample';
import { testHerd } from './suites/herd';
import { testLimits } from './suites/limits';
import { testLoops } from './suites/loops';
import { testMcp } from './suites/mcp';
import { testOperations } from './suites/operations';

import { startLongOutage } from './suites/outage';
import { testRetries } from './suites/retries';
import { testSecrets } from './suites/secrets';
import { testStoryInScenes } from './suites/storyInScenes';
import { testStreaming } from './suites/streaming';
import { testSubWorkflows } from './suites/subWorkflows';
import { testStopping } from './suites/stopping';
import { startLateCreate, testUnansweredCreates } from './suites/unansweredCreates';
import { version } from './version';

/** One server for all of them. */
describe(`n8n ${version}`, () => {
	const n8n = new Suite(version, startTestbed);
	beforeEach(() => n8n.sim.reset());
	const testLongOutage = startLongOutage(n8n);
	const testLateCreate = startLateCreate(n8n);

	testCredential(n8n);
	testOperations(n8n);
	testErrorItems(n8n);
	testRetries(n8n);
	testUnansweredCreates(n8n);
	testLoops(n8n);
	testSubWorkflows(n8n);
	testStopping(n8n);
	testStreaming(n8n);
	testLimits(n8n);
	testHerd(n8n);
	testFiles(n8n);
	testAiAgent(n8n);
	testExamples(n8n);
	testFormExample(n8n);
	testDailyVideos(n8n);
	testApproveThenFinal(n8n);
	testContentQueue(n8n);
	testStoryInScenes(n8n);
	testMcp(n8n);
	testEditor(n8n);
	testLateCreate();
	testLongOutage();
	// Look at what all the others have left behind.
	testSecrets(n8n);
	testContacts(n8n);
});
