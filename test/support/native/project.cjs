/** What tests use that nobody here has written. */
const PACKAGES = [
	...['@modelcontextprotocol/sdk', '@n8n', 'n8n-core', 'n8n-workflow', 'zod'],
	...['fast-check', 'flatted', 'mailparser', 'mockttp', 'playwright-core', 'sharp'],
	'smtp-server',
];

/** For a project of Jest: only the tests themselves run in its sandbox, the rest outside of it. */
module.exports = {
	testEnvironment: require.resolve('./environment.cjs'),
	transform: {
		'^.+\\.ts$': ['@swc/jest'],
		'^(?!.*/node_modules/).*/dist/.+\\.js$': require.resolve('./transform.cjs'),
		[`/node_modules/(${PACKAGES.join('|')})/.+\\.[cm]?js$`]: require.resolve('./transform.cjs'),
	},
	transformIgnorePatterns: [],
};
