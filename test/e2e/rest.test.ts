import { N8N_VERSIONS } from '../n8n/recipes';
import { Suite } from './beds/suite';
import { startTestbed } from './beds/testbed';
import { testResting } from './suites/resting';

describe.each(N8N_VERSIONS)('n8n %s', (version) => {
	const n8n = new Suite(version, startTestbed);
	beforeEach(() => n8n.sim.reset());
	afterAll(async () => console.log((await n8n.bed.log()).split('\n').filter((l) => /callback|rror|arn/.test(l)).slice(-15).join('\n')));
	testResting(n8n);
});
