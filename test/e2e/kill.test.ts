import { N8N_VERSIONS } from '../n8n/recipes';
import { testContentQueueKill } from './suites/contentQueueKill';
import { testServerKill } from './suites/serverKill';

/** What becomes of executions when n8n is killed; the kill of a worker is in queue.test.ts. */
describe.each(N8N_VERSIONS)('n8n %s', (version) => {
	testServerKill(version);
	testContentQueueKill(version);
});
