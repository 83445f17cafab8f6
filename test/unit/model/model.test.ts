/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { SEED } from '../../support/tellSeed';
import { mostLives } from './accepted';
import { type Finding, playLives } from './play';
import type { LifeKind } from './scenario';

/** Other lives for every commit; lives are numbered, by 32 bits. */
const FIRST = (SEED % 400_000) * 10_000;
/** MODEL_LIVES=10 plays ten times as many. */
const TIMES = Number(process.env.MODEL_LIVES ?? 1);

const KINDS: Array<[name: string, lives: number, kind: LifeKind]> = [
	['any life', 1_000, {}],
	['executions that are retried more than once', 350, { branch: true, editor: false }],
	['two executions in the editor at once', 350, { tabs: true, editor: true }],
	['each life brought to its end', 150, { endings: true }],
	['prompts that are written back', 350, { soft: true }],
	['executions in the editor that nobody retries', 350, { noManualRetry: true, editor: true }],
	['two processes', 350, { workers: 2, editor: false }],
	['clicks on what production has created', 350, { debug: true, editor: false }],
	['clicks after a Retry with an edit', 350, { debug: true, soft: true, editor: false }],
];

/** What is not accepted at all, or happens more often than is accepted. */
const isBeyond = ({ accepted, lives }: Finding, all: number): boolean =>
	accepted === undefined || lives > mostLives(accepted, all);

describe('The node in random lives', () => {
	it.each(KINDS)('pays nothing twice and loses nothing: %s', async (_, some, kind) => {
		const lives = some * TIMES;
		const findings = await playLives(FIRST, FIRST + lives, kind);
		expect(findings.filter((finding) => isBeyond(finding, lives))).toEqual([]);
	});
});
