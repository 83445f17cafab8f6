import { type Mutant, readMutants } from './mutant';
import { ProjectCopy } from './projectCopy';
import { runTests, type TestResult, type TestRun } from './testRun';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** What came of the mutant's own test; throws when there is no such test, or it cannot be run. */
function resultsFor({ test }: Mutant, run: TestRun): TestResult[] {
	const results = run.results.filter(
		({ file, fullName }) => file === test.file && fullName.includes(test.name),
	);
	if (results.length > 0) return results;
	throw new Error(run.broken[0] ?? `${test.file} has no test “${test.name}”`);
}

/** @returns the test that fails with the mutant; `undefined` when it survives */
async function killerOf(
	mutant: Mutant,
	copy: ProjectCopy,
	unchanged: TestRun,
	stop: AbortSignal,
): Promise<string | undefined> {
	const red = resultsFor(mutant, unchanged).find(({ passed }) => !passed);
	if (red) throw new Error(`${red.fullName} fails without the mutant too`);
	return await copy.withMutant(mutant, async () => {
		const run = await runTests(copy.folder, [mutant.test], stop);
		if (!run) return `${mutant.test.name} (it does not end)`;
		return resultsFor(mutant, run).find(({ passed }) => !passed)?.fullName;
	});
}

/** Prints a row for each mutant, and returns how many were not killed. */
async function play(mutants: Mutant[], copy: ProjectCopy, stop: AbortSignal): Promise<number> {
	const tests = mutants.map(({ test }) => test);
	const unchanged = await runTests(copy.folder, tests, stop);
	if (!unchanged) throw new Error('The tests do not end without a mutant');
	const width = Math.max(...mutants.map(({ name }) => name.length));
	let left = 0;
	for (const mutant of mutants) {
		const row = (text: string) => say(`${mutant.name.padEnd(width)}  ${text}`);
		try {
			const killer = await killerOf(mutant, copy, unchanged, stop);
			row(killer === undefined ? `SURVIVED: ${mutant.breaks}` : `killed by “${killer}”`);
			if (killer === undefined) left += 1;
		} catch (error) {
			stop.throwIfAborted();
			row(`NOT PLAYED: ${error instanceof Error ? error.message : String(error)}`);
			left += 1;
		}
	}
	return left;
}

/** `npm run mutants`: ends with an error unless every mutant is killed. */
async function main(): Promise<void> {
	const startedAt = Date.now();
	const mutants = readMutants(process.argv.slice(2));
	const stop = new AbortController();
	for (const signal of SIGNALS) process.once(signal, () => stop.abort());
	const copy = new ProjectCopy();
	try {
		const left = await play(mutants, copy, stop.signal);
		const seconds = Math.round((Date.now() - startedAt) / 1_000);
		say(`\n${mutants.length - left} of ${mutants.length} mutants killed in ${seconds} s`);
		if (left > 0) process.exitCode = 1;
	} finally {
		copy.remove();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
