const { native, withOwnZod } = require('./test/support/native/project.cjs');

process.env.N8N_LOG_LEVEL = 'silent';

const project = (displayName, more) => ({
	displayName,
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	setupFiles: ['<rootDir>/test/support/seed.ts'],
	// Copies of the project, which would be taken for parts of it.
	modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/.stryker-tmp/'],
	...more,
});

/** These run what is built; that is never older than what is written. */
const ofBuild = (displayName, more) =>
	project(displayName, { globalSetup: '<rootDir>/tools/n8n/freshBuild.ts', ...more });

/** The tests on real n8n servers have their own config in test/n8n. */
module.exports = {
	projects: [
		/** Parts by themselves, the packed package, the documents. */
		project('unit', native),
		/** The built node in n8n's engine, where the service counts what is paid. */
		ofBuild('money', native),
		/** The built node in n8n's engine: what comes out. */
		ofBuild('engine', native),
		/** n8n provides zod, version 3 today: what the node uses of it also holds with version 4. */
		ofBuild('zod4', {
			...withOwnZod,
			resolver: '<rootDir>/test/zod4/resolver.cjs',
			setupFiles: ['<rootDir>/test/support/quickProperties.ts'],
			testMatch: [
				'<rootDir>/test/zod4/*.test.ts',
				'<rootDir>/test/unit/{fields/*,files/inputs,service/{contract,task}}.test.ts',
				'<rootDir>/test/engine/{operations,validation}.test.ts',
			],
		}),
	],
	globalSetup: '<rootDir>/test/support/tellSeed.ts',
	testSequencer: '<rootDir>/test/support/sequencer.cjs',
	// Time is virtual, and whoever waits has a limit: only a test that hangs needs one. On a busy machine,
	// the longest takes ten times its seconds.
	testTimeout: 900_000,
	// Jest leaves one core idle otherwise, which is half of a small machine.
	maxWorkers: '100%',
};
