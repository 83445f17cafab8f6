const { TestEnvironment } = require('jest-environment-node');

/** Traces of Jest's length take a tenth of the time of tests in which everything fails on purpose. */
const TRACE_LINES = 10;

/** Gives `transform.cjs` the `require` of Node itself. */
module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		this.global.requireOfNode = require;
		this.global.process.env = process.env;
	}

	handleTestEvent({ name }) {
		if (name !== 'run_start') return;
		for (const { Error: Traced } of [globalThis, this.global]) Traced.stackTraceLimit = TRACE_LINES;
	}
};
