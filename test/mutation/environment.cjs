process.env.N8N_LOG_LEVEL = 'silent';
process.env.VIDEOGEN_SOURCES = '1';
require('reflect-metadata');
const { TestEnvironment } = require('jest-environment-node');

/** Loaded once for each of Stryker's processes: n8n takes longer to load than most tests to run. */
const shared = {
	'@n8n/di': require('@n8n/di'),
	'fast-check': require('fast-check'),
	'n8n-core': require('n8n-core'),
	'n8n-workflow': require('n8n-workflow'),
	zod: require('zod'),
};

/**
 * Node's environment, made for thousands of short runs: n8n is loaded outside, suites without a
 * wanted test are not loaded, and the first test that fails is the last that runs.
 */
module.exports = class MutationEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global.sharedModules = shared;
		this.global.wantedTests = config.globalConfig.testNamePattern;
		// What n8n throws is an Error in the tests' eyes too, and what they set is set for n8n.
		this.global.Error = Error;
		this.global.process.env = process.env;
		this.hasFailed = false;
	}

	async handleTestEvent(event) {
		if (event.name === 'run_describe_start' && isSuite(event.describeBlock)) {
			shared['@n8n/di'].Container.reset();
		}
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
		if (!this.hasFailed) return;
		if (event.name === 'test_start') event.test.mode = 'skip';
		if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
	}
};

/** A test file; each begins with n8n's services as they are when nothing has used them yet. */
const isSuite = ({ parent }) => parent !== undefined && parent.parent === undefined;
