const SHARED = ['@n8n/di', 'fast-check', 'n8n-core', 'n8n-workflow', 'zod'];

/** Jest's settings under Stryker; see docs/mutation.md for why they differ from the usual ones. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	roots: ['<rootDir>/nodes', '<rootDir>/credentials', '<rootDir>/test'],
	watchman: false,
	// What a change makes hang would otherwise take minutes to be found.
	testTimeout: 8_000,
	testEnvironment: require.resolve('./environment.cjs'),
	testMatch: ['<rootDir>/test/mutation/suites.test.js'],
	moduleNameMapper: { [`^(${SHARED.join('|')})$`]: '<rootDir>/test/mutation/shared/$1.cjs' },
};
