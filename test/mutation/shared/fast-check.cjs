const fc = globalThis.sharedModules['fast-check'];

/** Most mutants are found in the first few of the many runs that a property has otherwise. */
const FEW_RUNS = 20;

const withFewRuns = {
	...fc,
	assert: (property, { numRuns = FEW_RUNS, ...settings } = {}) =>
		fc.assert(property, { ...settings, numRuns: Math.min(numRuns, FEW_RUNS) }),
};

module.exports = { ...withFewRuns, default: withFewRuns, __esModule: true };
