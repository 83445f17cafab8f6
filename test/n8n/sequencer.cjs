const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** The slowest first, or the others wait for them at the end. */
const SLOW = ['recipes', 'queue', 'features', 'node', 'recipeKills', 'wait'];

/** Of the same file, the newest n8n first: it has the most tests, and is installed first. */
module.exports = class extends Sequencer {
	sort(tests) {
		const place = ({ path: file }) => {
			const found = SLOW.indexOf(path.basename(file, '.test.ts'));
			return found < 0 ? SLOW.length : found;
		};
		const versionOf = ({ context }) => context.config.globals.N8N_VERSION ?? '';
		return [...tests].sort(
			(one, other) =>
				place(one) - place(other) ||
				versionOf(other).localeCompare(versionOf(one), 'en', { numeric: true }),
		);
	}
};
