import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Mutant, readMutants } from './mutant';

const PROJECT = path.resolve(__dirname, '../../..');
/** A mutant may make the code wait for ever. */
const LIMIT_MS = 120_000;
const TEST_LIMIT_MS = 20_000;

const runFile = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);
const git = (cwd: string, ...args: string[]): string =>
	execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' });

const resultSchema = z.object({
	name: z.string(),
	message: z.string(),
	assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
});
const reportSchema = z.object({ testResults: z.array(resultSchema) });
type Results = Array<z.infer<typeof resultSchema>>;

/**
 * Runs the tests of these mutants, and no others if it can, in a folder.
 * @returns `undefined` when they did not end
 */
async function runTests(
	folder: string,
	mutants: Mutant[],
	stop: AbortSignal,
): Promise<Results | undefined> {
	const report = path.join(folder, 'report.json');
	rmSync(report, { force: true });
	const names = mutants.map(({ test }) => test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const args = [
		'node_modules/jest/bin/jest.js',
		...['--json', `--outputFile=${report}`, '--cacheDirectory=.jest'],
		...[`--testTimeout=${TEST_LIMIT_MS}`, '--maxWorkers=2', '--testNamePattern'],
		names.join('|'),
		'--runTestsByPath',
		...new Set(mutants.map(({ file }) => file)),
	];
	const end = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
	const options = { cwd: folder, signal: end, killSignal: 'SIGKILL', maxBuffer: Infinity } as const;
	// It ends with an error when a test fails, which is in the report.
	await runFile(process.execPath, args, options).catch(() => undefined);
	stop.throwIfAborted();
	if (end.aborted) return undefined;
	return reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults;
}

/**
 * The test of this mutant that fails, if there is one.
 * @throws Error when there is no such test, or it cannot be run
 */
function failingTest({ file, test }: Mutant, results: Results): string | undefined {
	const result = results.find(({ name }) => name.endsWith(`/${file}`));
	const own = (result?.assertionResults ?? []).filter(
		({ fullName, status }) => fullName.includes(test) && ['passed', 'failed'].includes(status),
	);
	if (own.length === 0) throw new Error(result?.message || `${file} has no test “${test}”`);
	return own.find(({ status }) => status === 'failed')?.fullName;
}

/** Engine tests run the build. Types are not checked: a mutant may leave something unused. */
const build = async (folder: string) =>
	await runFile(process.execPath, ['node_modules/typescript/bin/tsc', '--noCheck'], {
		cwd: folder,
	});

/** @returns the test that fails with the mutant; `undefined` when it survives */
async function killerOf(
	mutant: Mutant,
	folder: string,
	stop: AbortSignal,
): Promise<string | undefined> {
	git(folder, 'apply', mutant.patchFile);
	try {
		if (mutant.file.startsWith('test/engine/')) await build(folder);
		const results = await runTests(folder, [mutant], stop);
		return results ? failingTest(mutant, results) : `${mutant.test} (it does not end)`;
	} finally {
		git(folder, 'checkout', '--', '.');
	}
}

/** Prints a row for each mutant, and returns how many were not killed. */
async function play(mutants: Mutant[], folder: string, stop: AbortSignal): Promise<number> {
	const unchanged = await runTests(folder, mutants, stop);
	if (!unchanged) throw new Error('The tests do not end without a mutant');
	const width = Math.max(...mutants.map(({ name }) => name.length));
	let left = 0;
	for (const mutant of mutants) {
		const row = (text: string) => say(`${mutant.name.padEnd(width)}  ${text}`);
		try {
			const red = failingTest(mutant, unchanged);
			if (red) throw new Error(`${red} fails without the mutant too`);
			const killer = await killerOf(mutant, folder, stop);
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
	const mutants = readMutants(process.argv.slice(2));
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => stop.abort());
	}
	const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'videogen-mutants-')));
	try {
		// The files of the project as they are now, but for those that Git does not know.
		const now = git(PROJECT, 'stash', 'create').trim() || 'HEAD';
		git(PROJECT, 'worktree', 'add', '--detach', folder, now);
		symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
		const left = await play(mutants, folder, stop.signal);
		say(`\n${mutants.length - left} of ${mutants.length} mutants killed`);
		if (left > 0) process.exitCode = 1;
	} finally {
		git(PROJECT, 'worktree', 'remove', '--force', folder);
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
