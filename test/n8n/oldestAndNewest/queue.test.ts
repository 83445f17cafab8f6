import { NEWEST } from '../../../tools/n8n/versions';
import { startQueueEnvironment } from '../support/queueEnvironment';
import { Suite } from '../support/suite';
import { version } from '../support/version';
import { testMcp } from '../suites/mcp';
import { DATABASE_MODE, testQueueSecrets, testWorkers } from '../suites/queue';
import { testContacts } from '../suites/traces';
import { testWorkerKill } from '../suites/workerKill';

/** One main process, workers, Redis and PostgreSQL, all started here. */
describe(`n8n ${version} in queue mode`, () => {
	const n8n = new Suite(version, async () => await startQueueEnvironment(version, DATABASE_MODE));
	beforeEach(() => n8n.sim.reset());

	testWorkers(n8n);
	if (version === NEWEST) testMcp(n8n);
	testWorkerKill(n8n);
	testQueueSecrets(n8n);
	testContacts(n8n);
});
