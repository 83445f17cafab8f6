import { N8N_VERSIONS } from '../n8n/recipes';
import { QueueBed } from './queueBed';
import { testQueueContacts } from './suites/contacts';
import { DATABASE_MODE, testDownloads } from './suites/queueDownloads';
import { testInstall } from './suites/queueInstall';
import { testRuns } from './suites/queueRuns';
import { SHARING, testSharing } from './suites/queueSharing';
import { testQueueSecrets } from './suites/queueSecrets';
import { testWorkerKill } from './suites/workerKill';

/** One main process, workers, Redis and PostgreSQL, all started here. */
describe.each(N8N_VERSIONS)('n8n %s in queue mode', (version) => {
	const bed = new QueueBed(version, DATABASE_MODE);

	testInstall(bed);
	describe('with two workers', () => {
		const { count, concurrency } = SHARING;
		const workers = bed.workers(count, { concurrency });
		testSharing(bed, workers);
		testDownloads(bed, version, workers);
		testRuns(bed, workers);
	});
	testWorkerKill(bed);
	testQueueSecrets(bed);
	testQueueContacts(bed);
});
