const { readdirSync } = require('node:fs');
const path = require('node:path');

const rootDir = path.resolve(__dirname, '../..');
const versions = readdirSync(path.join(rootDir, 'test/n8n/recipes'));

/** Tests on real n8n servers: they boot in seconds, but their first install takes minutes. */
module.exports = {
	// Every file runs on every n8n; `--selectProjects 2.0.3` runs one version alone.
	projects: versions.map((version) => ({
		displayName: version,
		globals: { N8N_VERSION: version },
		rootDir,
		testEnvironment: 'node',
		transform: { '^.+\\.ts$': ['@swc/jest'] },
		testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
		modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/dist/'],
	})),
	// Every wait has a shorter limit of its own, which says what it has waited for.
	testTimeout: 10 * 60_000,
	maxWorkers: 1,
	reporters: ['default', path.join(__dirname, 'versionTable.cjs')],
};
