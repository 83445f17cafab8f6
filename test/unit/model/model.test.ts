import { mostLives } from './accepted';
import { type Finding, play } from './play';
import type { LifeKind } from './scenario';

const DAY_MS = 24 * 60 * 60_000;

/** Other lives every day; a seed that was printed plays those of its day again. */
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Date.now() / DAY_MS));
const FIRST = SEED * 10_000;
/** MODEL_LIVES=10 plays ten times as many. */
const TIMES = Number(process.env.MODEL_LIVES ?? 1);

const KINDS: Array<[name: string, lives: number, kind: LifeKind]> = [
	['any life', 3_000, {}],
	['executions that are retried more than once', 1_000, { branch: true, editor: false }],
	['two executions in the editor at once', 1_000, { tabs: true, editor: true }],
	['each life brought to its end', 1_000, { endings: true }],
	['prompts that are written back', 1_000, { soft: true }],
	['executions in the editor that nobody retries', 1_000, { noManualRetry: true, editor: true }],
];

/** What is not accepted at all, or happens more often than is accepted. */
const isBeyond = ({ accepted, lives }: Finding, all: number): boolean =>
	accepted === undefined || lives > mostLives(accepted, all);

process.stdout.write(`Random lives: seed ${SEED}; MODEL_SEED plays others\n`);

describe(`The node's decisions in random lives (MODEL_SEED=${SEED})`, () => {
	it.each(KINDS)('pays nothing twice and loses nothing: %s', (_, some, kind) => {
		const lives = some * TIMES;
		const findings = play(FIRST, FIRST + lives, kind);
		expect(findings.filter((finding) => isBeyond(finding, lives))).toEqual([]);
	});
});
