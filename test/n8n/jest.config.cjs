const { readdirSync } = require('node:fs');
const path = require('node:path');
const { native } = require('../support/native/project.cjs');

const rootDir = path.resolve(__dirname, '../..');
const versions = readdirSync(path.join(rootDir, 'tools/n8n/installs')).sort((one, other) =>
	one.localeCompare(other, 'en', { numeric: true }),
);

/** What runs on the newest n8n alone is the same on each. */
const foldersOf = (version) => [
	'allVersions',
	...([versions[0], versions.at(-1)].includes(version) ? ['oldestAndNewest'] : []),
	...(version === versions.at(-1) ? ['recipes'] : []),
];

/** One n8n of the cache; `--selectProjects 2.0.3` runs one version alone. */
const ofVersion = (version) => ({
	displayName: version,
	rootDir,
	...native,
	testMatch: foldersOf(version).map((folder) => `<rootDir>/test/n8n/${folder}/*.test.ts`),
	modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/.stryker-tmp/', '<rootDir>/dist/'],
	globals: { N8N_VERSION: version },
	globalSetup: '<rootDir>/test/n8n/globalSetup.ts',
});

/** Tests on real n8n servers. */
module.exports = {
	projects: versions.map(ofVersion),
	// Every wait has a shorter limit of its own, which says what it has waited for.
	testTimeout: 10 * 60_000,
	// They mostly wait.
	maxWorkers: 5,
};
