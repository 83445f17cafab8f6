import path from 'node:path';
import { startTestbed } from '../programs/realN8n/testbed';
import { Suite } from './beds/suite';
import { PUBLIC_NAME, testInputs } from './suites/inputs';
import { version } from './version';

const MODULE = path.join(__dirname, '../programs/realN8n/publicName.cjs');

/** On a server of its own, which knows a service by a name of the internet. */
describe(`inputs of n8n ${version}`, () => {
	const env = { NODE_OPTIONS: `--require ${JSON.stringify(MODULE)}`, PUBLIC_NAME };
	testInputs(new Suite(version, async () => await startTestbed(version, env)));
});
