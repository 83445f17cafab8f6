/** The built node in n8n's engine; what is built is never older than what is written. */
module.exports = {
	...require('../unit/jest.config.cjs'),
	displayName: 'engine',
	// n8n's engine loads all of n8n's package anyway.
	moduleNameMapper: {},
	testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
	globalSetup: '<rootDir>/test/programs/support/freshBuild.ts',
};
