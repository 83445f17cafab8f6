/** Mutation testing; docs/mutation.md tells what it covers and how to read it. */
export default {
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
	plugins: ['@stryker-mutator/*', './test/mutation/shownTexts.mjs'],
	ignorers: ['shown-texts'],
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 15_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 15,
	incrementalFile: 'reports/incremental.json',
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: 'reports/mutation.json' },
	tempDirName: '.stryker-tmp',
	ignorePatterns: ['dist', 'docs', 'coverage', '.demo', '.e2e', 'reports', '.stryker-tmp*'],
	// The first of two runs, with unit tests only, is no result yet.
	thresholds: { high: 95, low: 90, break: process.env.UNIT_TESTS_ONLY ? null : 90 },
};
