/** What tests use that nobody here has written. */
const PACKAGES = [
	...['@modelcontextprotocol/sdk', '@n8n', 'n8n-core', 'n8n-workflow', 'zod'],
	...['fast-check', 'flatted', 'mailparser', 'mockttp', 'playwright-core', 'sharp'],
	'smtp-server',
];

const BUILT_NODE = { '^(?!.*/node_modules/).*/dist/.+\\.js$': require.resolve('./transform.cjs') };

const projectWith = (packages, more) => ({
	testEnvironment: require.resolve('./environment.cjs'),
	transform: {
		'^.+\\.ts$': ['@swc/jest'],
		[`/node_modules/(${packages.join('|')})/.+\\.[cm]?js$`]: require.resolve('./transform.cjs'),
		...more,
	},
	transformIgnorePatterns: [],
});

/** For a project of Jest: only the tests themselves run in its sandbox, the rest outside of it. */
exports.native = projectWith(PACKAGES, BUILT_NODE);

/** The same, but the built node and zod run in the sandbox, where it gets another zod. */
exports.withOwnZod = projectWith(PACKAGES.filter((name) => name !== 'zod'));
