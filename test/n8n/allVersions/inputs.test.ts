import path from 'node:path';
import { startTestbed } from '../../../tools/n8n/testbed';
import { isN8n1 } from '../../../tools/n8n/versions';
import { Suite } from '../support/suite';
import { PUBLIC_NAME, testInputs } from '../suites/inputs';
import { version } from '../support/version';

const MODULE = path.join(__dirname, '../../../tools/n8n/publicName.cjs');

/** On a server of its own, which knows a service by a name of the internet. */
describe(`inputs of n8n ${version}`, () => {
	const env = { NODE_OPTIONS: `--require ${JSON.stringify(MODULE)}`, PUBLIC_NAME };
	testInputs(new Suite(version, async () => await startTestbed(version, env)));

	// As n8n 1 is, unless it is told otherwise.
	if (isN8n1(version)) {
		const inMemory = { ...env, N8N_DEFAULT_BINARY_DATA_MODE: 'default' };
		describe('with files in memory', () =>
			testInputs(new Suite(version, async () => await startTestbed(version, inMemory)), true));
	}
});
