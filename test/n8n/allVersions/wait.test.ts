import { Suite } from '../support/suite';
import { startTestbed } from '../../../tools/n8n/testbed';
import { testTraces } from '../suites/traces';
import { startWithoutCall, testWaitNode } from '../suites/waitNode';
import { version } from '../support/version';

/** What rests must leave the only place there is. */
const ONE_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

describe(`n8n ${version} with one place for executions, and its Wait node`, () => {
	const n8n = new Suite(version, async () => await startTestbed(version, ONE_AT_A_TIME));
	const testWithoutCall = startWithoutCall(n8n);
	beforeEach(() => n8n.sim.reset());

	testWaitNode(n8n);
	testWithoutCall();
	testTraces(n8n);
});
