const n8n = require('./jest.config.cjs');

/** Five minutes a version, which is too long for every commit: before a release, or a new recipe. */
module.exports = {
	...n8n,
	projects: [n8n.projects[0], n8n.projects.at(-1)].map((project) => ({
		...project,
		testMatch: ['<rootDir>/test/n8n/panels/*.test.ts'],
	})),
};
