import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

/** Written in Stryker's copy of the project, which all its workers share. */
const FILES_OF_TESTS = 'files-of-tests.json';

/**
 * The tests that may notice a change, by the file in which they are. Stryker names none for what is
 * evaluated when its file is loaded, such as a table: any test may notice that.
 */
function byFile(tests) {
	const fileOf = new Map(JSON.parse(readFileSync(FILES_OF_TESTS, 'utf8')));
	const files = new Map();
	for (const test of tests ?? fileOf.keys()) {
		const file = fileOf.get(test);
		files.set(file, [...(files.get(file) ?? []), test]);
	}
	return [...files];
}

/** A source file, and the test of the same name. */
const nameOf = (file) => basename(file).split('.')[0];

/**
 * Stryker's runner for Jest loads every test file, to find those tests in it that cover a change, for
 * each change: hours. This one gives Jest one file with such tests after the other until one of them
 * notices; first the file of the same name, then the one that noticed most changes of the same code.
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
			const files = byFile(options.testFilter);
			const keyOf = ([file]) => `${file} of ${options.sandboxFileName}`;
			const isOwn = ([file]) => nameOf(file) === nameOf(options.sandboxFileName);
			const rankOf = (pair) => (isOwn(pair) ? Infinity : (noticed.get(keyOf(pair)) ?? 0));
			files.sort((one, other) => rankOf(other) - rankOf(one));
			for (const [file, testFilter] of files) {
				process.env.COVERING_TEST_FILE = file;
				const result = await runner.mutantRun({ ...options, testFilter });
				if (result.status !== MutantRunStatus.Survived) {
					noticed.set(keyOf([file]), (noticed.get(keyOf([file])) ?? 0) + 1);
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
