import { NEWEST, isN8n1 } from '../programs/realN8n/versions';
import { startQueueBed } from './beds/queueBed';
import { Suite, workersOf } from './beds/suite';
import { testContacts } from './suites/contacts';
import { testMcp } from './suites/mcp';
import { DATABASE_MODE, testDownloads } from './suites/queueDownloads';
import { testInstall } from './suites/queueInstall';
import { testRuns } from './suites/queueRuns';
import { SHARING, testSharing } from './suites/queueSharing';
import { testQueueSecrets } from './suites/queueSecrets';
import { NOTICE_SOONER, testWorkerKill, testWorkerKillWithoutSetting } from './suites/workerKill';
import { version } from './version';

/** One main process, workers, Redis and PostgreSQL, all started here. */
describe(`n8n ${version} in queue mode`, () => {
	const n8n = new Suite(version, async () => await startQueueBed(version, DATABASE_MODE));

	if (version === NEWEST) testInstall(n8n);
	describe('with two workers', () => {
		const { count, concurrency } = SHARING;
		const workers = workersOf(n8n, count, { concurrency, env: NOTICE_SOONER });
		testSharing(n8n, workers);
		testDownloads(n8n);
		testRuns(n8n, workers);
		describe('at PostgreSQL', () => {
			beforeEach(() => n8n.sim.reset());
			testMcp(n8n);
		});
		const survivor = testWorkerKill(n8n, workers);
		if (isN8n1(version)) testWorkerKillWithoutSetting(n8n, survivor);
	});
	// By the worker that is left.
	testQueueSecrets(n8n);
	testContacts(n8n);
});
