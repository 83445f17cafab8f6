import { seededRandom } from '../support/random';
import { createJob, entryOf, Scene, WAIT } from '../support/waitingRun';
import type { Bound, Report } from './bound';
import { number, table, type Row } from './table';

/** What the service allows: so many unfinished tasks, and it always says to come back soon. */
const PLACES = 3;
const RETRY_AFTER_MS = 1_000;
const LATENCY_MS = 50;
const SEED = 20_261_123;

/** How many executions there are at once, and how long their tasks take. */
const HERDS = [
	{ executions: 1, seconds: 4 },
	{ executions: 30, seconds: 4 },
	{ executions: 60, seconds: 8 },
	{ executions: 30, seconds: 60 },
];

interface Result {
	executions: number;
	seconds: number;
	isShared: boolean;
	tookMs: number;
	idealMs: number;
	/** Create requests for each video. */
	creates: number;
}

/** Many executions of one video each at a service of few places, in simulated time. */
export async function benchHerd(tell: (line: string) => void): Promise<Report> {
	const results: Result[] = [];
	for (const { executions, seconds } of HERDS) {
		tell(`${executions} executions, tasks of ${seconds} s`);
		for (const isShared of [false, true]) results.push(await run(executions, seconds, isShared));
	}
	return {
		title: `Executions of one video each, ${PLACES} tasks at a time, in simulated time`,
		tables: [table(results.map(rowOf))],
		bounds: boundsOf(results),
	};
}

/** @param isShared Whether they run in one process, not each in its own. */
async function run(executions: number, seconds: number, isShared: boolean): Promise<Result> {
	const durationMs = seconds * 1_000;
	const scene = new Scene(
		{
			durationMs,
			latencyMs: LATENCY_MS,
			maxUnfinished: PLACES,
			askedWhenFull: RETRY_AFTER_MS,
			percent: (share) => Math.floor(100 * share),
		},
		seededRandom(SEED),
	);
	const entries = Array.from({ length: executions }, (_, index) =>
		entryOf(createJob(`video ${index}`, WAIT), index),
	);
	await Promise.all(
		entries.map(async (entry, index) => {
			// What is shared goes by the key.
			await scene.advance([entry], { apiKey: isShared ? 'key' : `key ${index}` });
		}),
	);
	return {
		executions,
		seconds,
		isShared,
		tookMs: scene.clock.now(),
		idealMs: Math.ceil(executions / PLACES) * durationMs,
		creates: scene.service.creates.length / executions,
	};
}

const rowOf = (result: Result): Row => ({
	Executions: result.isShared ? 'in one process' : 'each in its own',
	Number: String(result.executions),
	'Tasks of': `${result.seconds} s`,
	'Wall time': `${number(result.tookMs / 1_000)} s`,
	'Wall / ideal': number(result.tookMs / result.idealMs, 2),
	'Creates / video': number(result.creates),
});

function boundsOf(results: Result[]): Bound[] {
	const herds = results.filter(({ isShared, executions }) => isShared && executions > 1);
	return [
		{
			what: 'create requests for each video, in one process',
			measured: Math.max(...herds.map(({ creates }) => creates)),
			atMost: 6,
		},
		{
			what: 'wall time / ideal, in one process',
			measured: Math.max(...herds.map(({ tookMs, idealMs }) => tookMs / idealMs)),
			atMost: 1.25,
		},
	];
}
