import { seededRandom } from '../seededRandom';
import { PlayedWork } from './playedWork';
import { tell, type Bound, type Report, type Row } from './report';

/** The node's own default, and the fixed interval that it is compared with. */
const INTERVAL_MS = 5_000;
const SHORT = [6, 12];
const TEN_MINUTES = 600;
const HALF_HOUR = 1_500;
const SECONDS = [...SHORT, 60, 180, TEN_MINUTES, HALF_HOUR];
const TASKS = 40;
/** Tasks of a kind differ in length by up to this share, either way. */
const SPREAD = 0.2;
const SEED = 20_261_122;

/** What records say of how far a task is, from the share of its time that has passed. */
const PROGRESS: Record<string, (share: number) => number | undefined> = {
	even: (share) => Math.floor(100 * share),
	absent: () => undefined,
	stuck: (share) => Math.floor(100 * Math.min(share, 0.5)),
	'stuck at 99': (share) => Math.min(99, Math.floor(300 * share)),
	jumping: (share) => [0, 5, 40, 40, 45, 90][Math.floor(share * 6)],
	'falling back': (share) => Math.floor((300 * share) % 100),
};

type Result = Awaited<ReturnType<typeof run>>;

/** When tasks are read, in simulated time: how late their end is noticed, by how many reads. */
export async function benchPolling(): Promise<Report> {
	const results: Result[] = [];
	for (const progress of Object.keys(PROGRESS)) {
		tell(`polling with ${progress} progress`);
		for (const seconds of SECONDS) results.push(await run(progress, seconds));
	}
	return {
		title: `Polls in simulated time, interval ${INTERVAL_MS / 1_000} s, ${TASKS} tasks each`,
		rows: results.map(rowOf),
		bounds: boundsOf(results),
	};
}

/** Each task beside what a fixed interval would have given. */
async function run(progress: string, seconds: number) {
	const random = seededRandom(SEED);
	const durations = Array.from({ length: TASKS }, () =>
		Math.round(seconds * 1_000 * (1 + SPREAD * (2 * random() - 1))),
	);
	const durationMs = (prompt: string) => durations[Number(prompt)] ?? 0;
	const scene = new PlayedWork({ durationMs, percent: PROGRESS[progress] }, random);
	await scene.run(Object.keys(durations), INTERVAL_MS);
	const tasks = scene.service.tasks.map(({ id, createdMs, finalMs }) => {
		const reads = scene.service.reads.filter(({ taskId }) => taskId === id);
		const lengthMs = finalMs - createdMs;
		const fixedReads = Math.ceil(lengthMs / INTERVAL_MS);
		return {
			/** From its end to the read that noticed it. */
			lateSeconds: ((reads.at(-1)?.atMs ?? 0) - finalMs) / 1_000,
			fixedLateSeconds: (fixedReads * INTERVAL_MS - lengthMs) / 1_000,
			reads: reads.length,
			fixedReads,
		};
	});
	return { progress, seconds, tasks };
}

const medianLate = ({ tasks }: Result) => median(tasks.map(({ lateSeconds }) => lateSeconds));
const mostLate = ({ tasks }: Result) => Math.max(...tasks.map(({ lateSeconds }) => lateSeconds));
const meanReads = ({ tasks }: Result) => mean(tasks.map(({ reads }) => reads));
function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return (low + high) / 2;
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function rowOf(result: Result): Row {
	const { progress, seconds, tasks } = result;
	const fixedLate = median(tasks.map(({ fixedLateSeconds }) => fixedLateSeconds));
	return {
		Progress: progress,
		'Tasks of': `${seconds} s`,
		'Noticed after': `${medianLate(result).toFixed(1)} s`,
		'At the latest': `${mostLate(result).toFixed(1)} s`,
		'Fixed interval': `${fixedLate.toFixed(1)} s`,
		'Reads / task': meanReads(result).toFixed(1),
		'Fixed reads': mean(tasks.map(({ fixedReads }) => fixedReads)).toFixed(1),
	};
}

function boundsOf(results: Result[]): Bound[] {
	const even = results.filter(({ progress }) => progress === 'even');
	const absent = results.filter(({ progress }) => progress === 'absent');
	const short = even.filter(({ seconds }) => SHORT.includes(seconds));
	const ofTen = results.filter(({ seconds }) => seconds === TEN_MINUTES);
	const long = ({ seconds }: Result) => seconds === HALF_HOUR;
	const moreReads = results.flatMap(({ tasks }) =>
		tasks.map(({ reads, fixedReads }) => reads - fixedReads),
	);
	const bound = (what: string, values: number[], atMost: number): Bound => ({
		what,
		measured: Math.max(...values),
		atMost,
	});
	return [
		bound('seconds from end to notice with even progress, short tasks', short.map(medianLate), 0.3),
		bound('the same of any length', even.map(medianLate), 15),
		bound('at the latest with even progress or none', [...even, ...absent].map(mostLate), 30),
		bound('the same with any progress', results.map(mostLate), 60),
		bound('reads of ten minutes with any progress', ofTen.map(meanReads), 70),
		bound('reads of half an hour without progress', absent.filter(long).map(meanReads), 95),
		bound('the same with even progress', even.filter(long).map(meanReads), 45),
		bound('reads of any task more than the fixed interval has', moreReads, 1),
	];
}
