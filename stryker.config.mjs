/** Code that needs neither n8n nor a network: what its tests miss is a gap in the unit tests. */
const PURE = [
	'{ground,work}/*.ts',
	'run/{log,output,progress}.ts',
	'service/{answerMeaning,answerWords,authenticate,errorPayload,task}.ts',
	'service/contract/*.ts',
	'files/{downloadWords,fileName,mediaType}.ts',
];

export default {
	mutate: PURE.map((files) => `nodes/Videogen/${files}`),
	plugins: ['@stryker-mutator/jest-runner', './test/programs/mutation/jestRunner.mjs'],
	testRunner: 'jest-by-file',
	jest: {
		configFile: 'test/unit/jest.config.cjs',
		enableFindRelatedTests: false,
		config: {
			filter: '<rootDir>/test/programs/mutation/coveringFile.cjs',
			testTimeout: 3_000,
			setupFiles: ['<rootDir>/test/programs/support/quickProperties.ts'],
			// About the package, the documents, the editor and the simulator, or slow and random.
			testPathIgnorePatterns: [
				'/unit/(?:docs|examples|growth|hostile|interface|package|release|simulator)',
			],
		},
	},
	// A mutation that waits for ever is one that was noticed. No test of these takes a second, but a
	// busy machine must not be taken for one.
	timeoutMS: 5_000,
	timeoutFactor: 1.25,
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	concurrency: 2,
	// Jest keeps something of each run: after a thousand, a worker takes gigabytes, and its time.
	maxTestRunnerReuse: 100,
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	ignorePatterns: ['dist', 'docs', 'coverage', '.demo', '.e2e', 'reports'],
};
