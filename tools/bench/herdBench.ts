import { seededRandom } from '../seededRandom';
import { PlayedWork, type Played } from './playedWork';
import { tell, type Bound, type Report, type Row } from './report';

/** What the service allows: so many unfinished tasks. */
const PLACES = 3;
const LATENCY_MS = 50;
const INTERVAL_MS = 5_000;
const SEED = 20_261_123;

/** As many workers as a small queue mode has. */
const WORKERS = 3;

/** How many executions there are at once, and how long their tasks take. */
const HERDS = [
	{ executions: 1, seconds: 4 },
	{ executions: 30, seconds: 4 },
	{ executions: 60, seconds: 8 },
	{ executions: 30, seconds: 60 },
];

/** One execution with many items, all at once at a service with room for them. */
const BATCHES = [
	{ items: 10, seconds: 6, atMostSeconds: 6.6 },
	{ items: 50, seconds: 12, atMostSeconds: 13.2 },
];

type Result = Awaited<ReturnType<typeof run>>;

/** Many executions of one video each at a service of few places, in simulated time. */
export async function benchHerd(): Promise<Report> {
	const results: Result[] = [];
	for (const { executions, seconds } of HERDS) {
		tell(`${executions} executions, tasks of ${seconds} s`);
		const processes = new Set([executions, Math.min(WORKERS, executions), 1]);
		for (const count of processes) results.push(await run(executions, seconds, count));
	}
	const batches = [];
	for (const batch of BATCHES) batches.push(await runBatch(batch));
	return {
		title: `Executions of one video each, ${PLACES} tasks at a time, in simulated time`,
		rows: results.map(rowOf),
		bounds: [...boundsOf(results), ...batches],
	};
}

/** A service whose tasks take so long, and say evenly how far they are. */
const sceneOf = (seconds: number, more: Partial<Played> = {}): PlayedWork => {
	const percent = (share: number) => Math.floor(100 * share);
	const durationMs = () => seconds * 1_000;
	const played = { durationMs, percent, latencyMs: LATENCY_MS, ...more };
	return new PlayedWork(played, seededRandom(SEED));
};

const promptsOf = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `video ${index}`);

async function runBatch({ items, seconds, atMostSeconds }: (typeof BATCHES)[number]) {
	const scene = sceneOf(seconds);
	await scene.run(promptsOf(items), INTERVAL_MS);
	const what = `seconds for ${items} tasks of ${seconds} s in one execution`;
	return { what, measured: scene.clock.now() / 1_000, atMost: atMostSeconds };
}

/** @param processes Of n8n: what is shared is shared within one. */
async function run(executions: number, seconds: number, processes: number) {
	const scene = sceneOf(seconds, { maxUnfinished: PLACES });
	await Promise.all(
		promptsOf(executions).map(async (prompt, index) => {
			// What knows nothing of each other, as processes do, is runs with different keys.
			await scene.run([prompt], INTERVAL_MS, `key ${index % processes}`);
		}),
	);
	const tookMs = scene.clock.now();
	const toIdeal = tookMs / (Math.ceil(executions / PLACES) * seconds * 1_000);
	const createsEach = scene.service.creates / executions;
	return { executions, seconds, processes, tookMs, toIdeal, createsEach };
}

const rowOf = (result: Result): Row => ({
	Executions: String(result.executions),
	Processes: String(result.processes),
	'Tasks of': `${result.seconds} s`,
	'Wall time': `${(result.tookMs / 1_000).toFixed(1)} s`,
	'Wall / ideal': result.toIdeal.toFixed(2),
	'Creates / video': result.createsEach.toFixed(1),
});

function boundsOf(results: Result[]): Bound[] {
	const herds = results.filter(({ processes, executions }) => processes === 1 && executions > 1);
	return [
		{
			what: 'create requests for each video, in one process',
			measured: Math.max(...herds.map(({ createsEach }) => createsEach)),
			atMost: 4,
		},
		{
			what: 'the same, wall time / ideal',
			measured: Math.max(...herds.map(({ toIdeal }) => toIdeal)),
			// A pause ends by time alone, and not when a task finishes.
			atMost: 1.5,
		},
	];
}
