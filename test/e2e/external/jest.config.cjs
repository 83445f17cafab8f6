/** `npm run test:e2e:external`: on an n8n that runs already, with the node installed. */
module.exports = {
	displayName: 'external',
	rootDir: '../../..',
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	testMatch: ['<rootDir>/test/e2e/external/*.test.ts'],
	testTimeout: 5 * 60_000,
};
