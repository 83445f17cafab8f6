import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { spawnGuarded } from '../realN8n/process';
import type { Mutant } from './mutant';

/** A mutant may make the code wait for ever. */
const LIMIT_MS = 120_000;
const TEST_LIMIT_MS = 20_000;
/** Of why a file of tests could not be run. */
const SHOWN_LINES = 5;

const reportSchema = z.object({
	testResults: z.array(
		z.object({
			name: z.string(),
			message: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
		}),
	),
});

export interface TestResult {
	/** Relative to the project. */
	file: string;
	fullName: string;
	passed: boolean;
}

export interface TestRun {
	results: TestResult[];
	/** Why files of tests could not be run at all. */
	broken: string[];
}

/**
 * Runs the tests of these mutants, and no others if it can, in a folder.
 * @returns `undefined` when they did not end
 */
export async function runTests(
	folder: string,
	tests: Array<Mutant['test']>,
	stop: AbortSignal,
): Promise<TestRun | undefined> {
	stop.throwIfAborted();
	const report = path.join(folder, 'report.json');
	rmSync(report, { force: true });
	const names = tests.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const child = spawnGuarded(
		process.execPath,
		[
			'node_modules/jest/bin/jest.js',
			...['--json', `--outputFile=${report}`, '--cacheDirectory=.jest'],
			...[`--testTimeout=${TEST_LIMIT_MS}`, '--maxWorkers=2', '--testNamePattern'],
			names.join('|'),
			'--runTestsByPath',
			...new Set(tests.map(({ file }) => file)),
		],
		{ cwd: folder },
	);
	const end = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
	end.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
	await child.exited;
	stop.throwIfAborted();
	if (end.aborted) return undefined;
	return asTestRun(folder, readFileSync(report, 'utf8'));
}

function asTestRun(folder: string, report: string): TestRun {
	const { testResults } = reportSchema.parse(JSON.parse(report));
	const results = testResults.flatMap(({ name, assertionResults }) =>
		assertionResults
			.filter(({ status }) => ['passed', 'failed'].includes(status))
			.map(({ fullName, status }) => ({
				file: path.relative(folder, name),
				fullName,
				passed: status === 'passed',
			})),
	);
	const broken = testResults
		.filter(({ assertionResults }) => assertionResults.length === 0)
		.map(({ message }) => message.trim().split('\n').slice(0, SHOWN_LINES).join('\n'));
	return { results, broken };
}
