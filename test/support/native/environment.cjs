const { TestEnvironment } = require('jest-environment-node');

/** Jest records 100, which costs a tenth of the time where everything fails on purpose. */
const FRAMES_PER_ERROR = 10;

/**
 * Gives `transform.cjs` the `require` of Node itself. A test and what is loaded that way have the same
 * settings, errors and clock: else, what a test changes or throws would be of another kind.
 */
module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		Object.assign(this.global, { requireOfNode: require, Error, Date });
		this.global.process.env = process.env;
	}

	handleTestEvent({ name }) {
		if (name === 'run_start') Error.stackTraceLimit = FRAMES_PER_ERROR;
	}
};
