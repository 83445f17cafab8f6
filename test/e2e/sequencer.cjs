const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const FILES = ['node', 'rest', 'queue', 'kill', 'recipes', 'pnpm'].map((name) => `${name}.test.ts`);

/**
 * Side by side run different files on different versions: three beds of queue mode are heavy. The
 * longest, the kills on the newest version, is among the first.
 */
module.exports = class extends Sequencer {
	sort(tests) {
		const versions = [...new Set(tests.map(versionOf))].sort();
		const place = (test) => {
			const version = versions.indexOf(versionOf(test));
			const file = FILES.indexOf(path.basename(test.path));
			return ((file + version) % FILES.length) * versions.length + version;
		};
		return [...tests].sort((one, other) => place(one) - place(other));
	}
};

const versionOf = ({ context }) => context.config.globals.N8N_VERSION;
