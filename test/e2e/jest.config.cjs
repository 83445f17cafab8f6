/** Tests on real n8n servers: they boot in seconds, but their first install takes minutes. */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/dist/'],
	// Every wait has a shorter limit of its own, which says what it has waited for.
	testTimeout: 10 * 60_000,
	maxWorkers: 1,
};
