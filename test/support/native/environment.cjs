const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** Jest records 100, which costs a tenth of the time where everything fails on purpose. */
const FRAMES_PER_ERROR = 10;

/**
 * Jest kills a worker half a second after its last test, with a warning about leaks, and Node may take
 * longer to clear away a large heap when nothing is left to do. What does leak still keeps it alive.
 */
if (process.send) process.once('beforeExit', () => process.exit());

const BUILT_NODE = path.join(__dirname, '../../../dist/');

/**
 * Gives `transform.cjs` the `require` of Node itself. A test shares its settings, `Error` and `Date` with
 * the code that is loaded that way. Otherwise its changes would not reach that code, and its errors
 * would not count as errors there.
 */
module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		// As in a new n8n process.
		const loaded = Object.keys(require.cache).filter((file) => file.startsWith(BUILT_NODE));
		for (const file of loaded) delete require.cache[file];
		Object.assign(this.global, { requireOfNode: require, Error, Date });
		this.global.process.env = process.env;
	}

	handleTestEvent({ name }) {
		if (name === 'run_start') Error.stackTraceLimit = FRAMES_PER_ERROR;
	}
};
