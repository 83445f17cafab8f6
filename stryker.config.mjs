import { createRequire } from 'node:module';

const { projects } = createRequire(import.meta.url)('./jest.config.js');
const unit = projects.find(({ displayName }) => displayName === 'unit');

/** Where it is decided what is paid: what these tests miss is a gap in the unit tests. */
export default {
	mutate: [
		'nodes/Videogen/work/*.ts',
		'nodes/Videogen/service/responseRules.ts',
		'nodes/Videogen/run/{identity,plan}.ts',
		'nodes/Videogen/files/{download,inputs}.ts',
	],
	plugins: ['@stryker-mutator/jest-runner', './tools/mutation/jestRunner.mjs'],
	testRunner: 'jest-by-file',
	jest: {
		enableFindRelatedTests: false,
		config: {
			...unit,
			// In Stryker's copy of the project.
			rootDir: '.',
			projects: undefined,
			globalSetup: undefined,
			filter: '<rootDir>/tools/mutation/coveringFile.cjs',
			testMatch: ['<rootDir>/test/unit/{work,service,run,files}/**/*.test.ts'],
			testTimeout: 3_000,
			setupFiles: ['<rootDir>/test/support/quickProperties.ts'],
		},
	},
	// A mutation that waits for ever is one that was noticed. No test of these takes a second, but a
	// busy machine must not be taken for one.
	timeoutMS: 5_000,
	timeoutFactor: 1.25,
	coverageAnalysis: 'perTest',
	// A table that decides is evaluated when its file is loaded: it counts like all other code.
	ignoreStatic: false,
	concurrency: 2,
	// Jest keeps something of each run: after a thousand, a worker takes gigabytes, and its time.
	maxTestRunnerReuse: 100,
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	ignorePatterns: ['dist', 'docs', 'coverage', '.demo', 'reports'],
};
