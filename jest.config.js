/** Unit and engine tests; the tests on real n8n servers have their own config in test/e2e. */
module.exports = {
	projects: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	globalSetup: '<rootDir>/test/programs/support/tellSeed.ts',
	testTimeout: 120_000,
	// Jest leaves one core idle otherwise, which is half of a small machine.
	maxWorkers: '100%',
};
