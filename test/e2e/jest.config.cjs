const { readdirSync } = require('node:fs');
const path = require('node:path');

const rootDir = path.resolve(__dirname, '../..');
const versions = readdirSync(path.join(rootDir, 'test/programs/n8nVersions'));

const newest = versions
	.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
	.at(-1);

/** ES modules that the proxy of the played services needs. */
const ES_MODULES = '/node_modules/(get-port|milliparsec|urlpattern-polyfill)/';

const project = (version) => ({
	displayName: version,
	globals: { N8N_VERSION: version },
	rootDir,
	testEnvironment: 'node',
	globalSetup: '<rootDir>/test/programs/support/freshBuild.ts',
	transform: { '^.+\\.ts$': ['@swc/jest'], [`${ES_MODULES}.+\\.js$`]: ['@swc/jest'] },
	transformIgnorePatterns: [ES_MODULES.replace('(', '(?!(').replace(')/', ')/)')],
	testMatch: ['<rootDir>/test/e2e/*.test.ts'],
	// The recipes are the same on each.
	testPathIgnorePatterns: version === newest ? [] : ['/recipe(s|Kills)\\.test\\.ts$'],
	modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/.stryker-tmp/', '<rootDir>/dist/'],
});

/** Tests on real n8n servers: they boot in seconds, but their first install takes minutes. */
module.exports = {
	// Every file runs on every n8n; `--selectProjects 2.0.3` runs one version alone.
	projects: versions.map(project),
	// Every wait has a shorter limit of its own, which says what it has waited for.
	testTimeout: 10 * 60_000,
	// They mostly wait.
	maxWorkers: 4,
	testSequencer: path.join(__dirname, 'sequencer.cjs'),
};
