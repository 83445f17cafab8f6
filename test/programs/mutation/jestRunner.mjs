import { readFileSync, writeFileSync } from 'node:fs';

import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

/** Written in Stryker's copy of the project, which all its workers share. */
const FILES_OF_TESTS = 'files-of-tests.json';

/** The tests that cover a change, by the file in which they are. */
function byFile(tests) {
	const fileOf = new Map(JSON.parse(readFileSync(FILES_OF_TESTS, 'utf8')));
	const files = new Map();
	for (const test of tests) {
		const file = fileOf.get(test);
		files.set(file, [...(files.get(file) ?? []), test]);
	}
	return [...files];
}

/**
 * Stryker's runner for Jest loads every test file, to find those tests in it that cover a change, for
 * each change: hours. This one gives Jest one file with such tests after the other until one of them
 * notices; first the file that noticed most changes of the same code so far.
 */
function createRunner(injector) {
	const runner = injector.injectFunction(jestPlugins[0].factory);
	const noticed = new Map();
	return {
		init: () => runner.init(),
		capabilities: () => runner.capabilities(),
		dispose: () => runner.dispose?.(),
		async dryRun(options) {
			delete process.env.COVERING_TEST_FILE;
			const result = await runner.dryRun(options);
			const files = (result.tests ?? []).map(({ id, fileName }) => [id, fileName]);
			writeFileSync(FILES_OF_TESTS, JSON.stringify(files));
			return result;
		},
		async mutantRun(options) {
			let survived = { status: MutantRunStatus.Survived, nrOfTests: 0 };
			const files = byFile(options.testFilter ?? []);
			const keyOf = ([file]) => `${file} of ${options.sandboxFileName}`;
			const noticedBy = (pair) => noticed.get(keyOf(pair)) ?? 0;
			files.sort((one, other) => noticedBy(other) - noticedBy(one));
			for (const [file, testFilter] of files) {
				process.env.COVERING_TEST_FILE = file;
				const result = await runner.mutantRun({ ...options, testFilter });
				if (result.status !== MutantRunStatus.Survived) {
					noticed.set(keyOf([file]), noticedBy([file]) + 1);
					return result;
				}
				survived = { ...result, nrOfTests: survived.nrOfTests + result.nrOfTests };
			}
			return survived;
		},
	};
}
createRunner.inject = [commonTokens.injector];

export const strykerPlugins = [
	declareFactoryPlugin(PluginKind.TestRunner, 'jest-by-file', createRunner),
];
