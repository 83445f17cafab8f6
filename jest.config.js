process.env.N8N_LOG_LEVEL = 'silent';

/** Unit and engine tests; the tests on real n8n servers have their own config in test/e2e. */
module.exports = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	testMatch: ['<rootDir>/test/unit/**/*.test.ts', '<rootDir>/test/engine/**/*.test.ts'],
	globalSetup: '<rootDir>/test/support/tellSeed.ts',
	setupFiles: ['<rootDir>/test/support/seed.ts'],
	testTimeout: 120_000,
	// Jest leaves one core idle otherwise, which is half of a small machine.
	maxWorkers: '100%',
};
