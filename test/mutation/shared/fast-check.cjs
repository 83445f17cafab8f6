const fc = globalThis.sharedModules['fast-check'];

/** Most mutants are found in the first few of the many runs that a property has otherwise. */
const FEW_RUNS = 20;

/** That a property fails is enough; looking for the least values with which it does takes long. */
const endOnFailure = true;

const withFewRuns = {
	...fc,
	assert: (property, { numRuns = FEW_RUNS, ...settings } = {}) =>
		fc.assert(property, { ...settings, endOnFailure, numRuns: Math.min(numRuns, FEW_RUNS) }),
};

module.exports = { ...withFewRuns, default: withFewRuns, __esModule: true };
