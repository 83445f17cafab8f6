import { Suite } from './beds/suite';
import { startTestbed } from '../programs/realN8n/testbed';
import { startRestWithoutCallback, testResting } from './suites/resting';
import { testTraces } from './suites/traces';
import { version } from './version';

/** Who rests must leave the only place there is. */
const ONE_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

describe(`n8n ${version} with one place for executions`, () => {
	const n8n = new Suite(version, async () => await startTestbed(version, ONE_AT_A_TIME));
	const testLostCallback = startRestWithoutCallback(n8n);
	beforeEach(() => n8n.sim.reset());

	testResting(n8n);
	testLostCallback();
	testTraces(n8n);
});
