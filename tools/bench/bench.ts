import { parseArgs } from 'node:util';
import { benchHerd } from './herdBench';
import { benchMemory } from './memoryBench';
import { benchPolling } from './pollingBench';
import { holds, print, type Report } from './report';

const PARTS: Record<string, () => Promise<Report>> = {
	polling: benchPolling,
	herd: benchHerd,
	memory: benchMemory,
};

/** Runs the parts named on the command line, or all, and fails when a bound does not hold. */
async function main(): Promise<void> {
	const flags = Object.keys(PARTS).map((name) => [name, { type: 'boolean' }] as const);
	const { values } = parseArgs({ options: Object.fromEntries(flags) });
	for (const [name, part] of Object.entries(PARTS)) {
		if (Object.keys(values).length > 0 && !values[name]) continue;
		const report = await part();
		print(report);
		if (!report.bounds.every(holds)) process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
