import { testServerKill } from '../suites/serverKill';
import { version } from '../support/version';

/** What becomes of executions when n8n is killed; the kill of a worker is in queue.test.ts. */
describe(`n8n ${version}`, () => testServerKill(version));
