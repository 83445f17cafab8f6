import { NEWEST } from '../../../tools/n8n/versions';
import { startQueueEnvironment, type Worker } from '../support/queueEnvironment';
import { Suite } from '../support/suite';
import { version } from '../support/version';
import { testMcp } from '../suites/mcp';
import { DATABASE_MODE, SHARING, testQueueSecrets, testWorkers } from '../suites/queue';
import { testContacts } from '../suites/traces';
import { NOTICE_SOONER, testWorkerKill } from '../suites/workerKill';

/** One main process, workers, Redis and PostgreSQL, all started here. */
describe(`n8n ${version} in queue mode`, () => {
	const n8n = new Suite(version, async () => await startQueueEnvironment(version, DATABASE_MODE));

	describe('workers', () => {
		const { count, concurrency } = SHARING;
		let workers: Worker[] = [];
		beforeAll(async () => {
			const start = async () =>
				await n8n.environment.startWorker({ concurrency, env: NOTICE_SOONER });
			workers = await Promise.all(Array.from({ length: count }, start));
		});
		testWorkers(n8n, () => workers);
		if (version === NEWEST) {
			describe('at PostgreSQL', () => {
				beforeEach(() => n8n.sim.reset());
				testMcp(n8n);
			});
		}
		testWorkerKill(n8n, () => workers);
	});
	testQueueSecrets(n8n);
	testContacts(n8n);
});
