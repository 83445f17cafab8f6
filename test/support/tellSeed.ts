/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { execFileSync } from 'node:child_process';

/** For a copy without its history. */
const FIXED_SEED = 20_260_301;

/** What was set here, once for all test files. */
export const SEED = Number(process.env.FUZZ_SEED ?? FIXED_SEED);

/** Once for all test files: each commit draws other values, and the same ones every time. */
export default function tellSeed(): void {
	process.env.FUZZ_SEED ??= String(seedOfCommit());
	const seed = process.env.FUZZ_SEED;
	process.stdout.write(`Random tests have the seed ${seed}; FUZZ_SEED=${seed} repeats them\n`);
}

function seedOfCommit(): number {
	try {
		const git = { cwd: __dirname, encoding: 'utf8', stdio: 'pipe' } as const;
		return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], git).slice(0, 7), 16);
	} catch {
		return FIXED_SEED;
	}
}
