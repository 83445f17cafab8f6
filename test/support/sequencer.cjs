const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/**
 * Those that take longest, the longest first: what begins last ends last. Large texts come before all:
 * once other tests have filled the memory of the worker, they take four times as long.
 */
const SLOW = [
	'unit/service/largeTexts',
	...['money/faultMatrix', 'money/faultMatrixClicks', 'money/randomFaults', 'unit/model/model'],
];

module.exports = class extends Sequencer {
	sort(tests) {
		const others = super.sort(tests).filter((test) => !SLOW.some((name) => isNamed(test, name)));
		return [...SLOW.flatMap((name) => tests.filter((test) => isNamed(test, name))), ...others];
	}
};

const isNamed = (test, name) => test.path.endsWith(path.join('test', `${name}.test.ts`));
