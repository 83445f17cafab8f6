process.env.N8N_LOG_LEVEL = 'silent';

/** Parts by themselves, the packed package, the documents. */
module.exports = {
	displayName: 'unit',
	rootDir: '../..',
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	testMatch: ['<rootDir>/test/{unit,money}/**/*.test.ts'],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/programs/support/lazyN8n.cjs' },
	setupFiles: ['<rootDir>/test/programs/support/seed.ts'],
	// Copies of the project, which would be taken for parts of it.
	modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/.stryker-tmp/'],
};
