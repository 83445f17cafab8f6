import { boundLine, holds, type Report } from './bound';
import { benchEngine } from './engineBench';
import { benchFiles } from './filesBench';
import { benchHerd } from './herdBench';
import { benchMemory } from './memoryBench';
import { benchPolling } from './pollingBench';
import { benchServer } from './serverBench';

type Part = (tell: (line: string) => void) => Promise<Report>;

const PARTS: Record<string, Part> = {
	'--polling': benchPolling,
	'--herd': benchHerd,
	'--server': benchServer,
	'--engine': benchEngine,
	'--files': benchFiles,
	'--memory': benchMemory,
};

/** Progress goes where it does not get into a table that is piped into a file. */
const tell = (line: string) => process.stderr.write(`… ${line}\n`);

function print({ title, tables, bounds }: Report): void {
	const parts = [`### ${title}`, ...tables, bounds.map(boundLine).join('\n')];
	process.stdout.write(`\n${parts.join('\n\n')}\n`);
}

/** Runs the parts named on the command line, or all, and fails when a bound does not hold. */
async function main(flags: string[]): Promise<void> {
	const unknown = flags.filter((flag) => !(flag in PARTS));
	if (unknown.length > 0) {
		throw new Error(`${unknown.join(' ')}: the flags are ${Object.keys(PARTS).join(', ')}`);
	}
	for (const [flag, part] of Object.entries(PARTS)) {
		if (flags.length > 0 && !flags.includes(flag)) continue;
		const report = await part(tell);
		print(report);
		if (!report.bounds.every(holds)) process.exitCode = 1;
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
