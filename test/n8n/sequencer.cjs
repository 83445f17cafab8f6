const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** The longest first. */
const FILES = [
	'node',
	'kill',
	'recipes',
	'recipeKills',
	'recipeImport',
	'queue',
	'inputs',
	'wait',
].map((name) => `${name}.test.ts`);

/**
 * The newest version, which has the most tests, is one file ahead of the next: side by side run
 * different files, as three environments of queue mode are heavy, and what comes last is short.
 */
module.exports = class extends Sequencer {
	sort(tests) {
		const versions = [...new Set(tests.map(versionOf))].sort((one, other) =>
			other.localeCompare(one, 'en', { numeric: true }),
		);
		const place = (test) => {
			const behind = versions.indexOf(versionOf(test));
			return (FILES.indexOf(path.basename(test.path)) + behind) * versions.length + behind;
		};
		return [...tests].sort((one, other) => place(one) - place(other));
	}
};

const versionOf = ({ context }) => context.config.globals.N8N_VERSION ?? '';
