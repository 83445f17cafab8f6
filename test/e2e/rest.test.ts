import { Suite } from './beds/suite';
import { startTestbed } from '../programs/realN8n/testbed';
import { testContacts } from './suites/contacts';
import { startRestWithoutCallback, testResting } from './suites/resting';
import { expectNoKeyOnDisk } from './suites/secrets';
import { version } from './version';

/** Who rests must leave the only place there is. */
const ONE_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

describe(`n8n ${version} with one place for executions`, () => {
	const n8n = new Suite(version, async () => await startTestbed(version, ONE_AT_A_TIME));
	const testLostCallback = startRestWithoutCallback(n8n);
	beforeEach(() => n8n.sim.reset());

	testResting(n8n);
	testLostCallback();
	it('has left the API key in nothing that n8n saved', async () =>
		await expectNoKeyOnDisk(n8n.bed));
	testContacts(n8n);
});
