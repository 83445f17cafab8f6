import { startTestbed, WITH_EDITOR } from '../../../tools/n8n/testbed';
import { Suite } from '../support/suite';
import { version } from '../support/version';
import { testEditor } from '../suites/editor';
import { testMcpAtOnce } from '../suites/mcp';
import { testSubWorkflows } from '../suites/subWorkflows';
import { testServerStop } from '../suites/serverKill';

/** What no version of n8n does differently, on one server. */
describe(`n8n ${version}`, () => {
	const env = { ...WITH_EDITOR, N8N_LOG_LEVEL: 'debug' };
	const n8n = new Suite(version, async () => await startTestbed(version, env));
	beforeEach(() => n8n.sim.reset());

	testSubWorkflows(n8n);
	testMcpAtOnce(n8n);
	testEditor(n8n);
	testServerStop(n8n);
});
