import { seededRandom } from '../support/random';
import { createJobs, MINUTE, Scene } from '../support/waitingRun';
import type { Bound, Report } from './bound';
import { median } from './measure';
import { number, table, type Row } from './table';

/** The node's own default, and the fixed interval that it is compared with. */
const INTERVAL_MS = 5_000;
const SECONDS = [6, 12, 60, 180];
/** Two rounds of as many tasks as run at once: the second can learn from the first. */
const TASKS = 40;
const AT_ONCE = 20;
/** Tasks of a kind differ in length by up to this share, either way. */
const SPREAD = 0.2;
const SEED = 20_261_122;

/** What records say of how far a task is, from the share of its time that has passed. */
const PROGRESS: Record<string, (share: number) => number | undefined> = {
	linear: (share) => Math.floor(100 * share),
	stuck: (share) => Math.floor(100 * Math.min(share, 0.5)),
	'stuck at 99': (share) => Math.min(99, Math.floor(300 * share)),
	jumping: (share) => [0, 5, 40, 40, 45, 90][Math.floor(share * 6)],
	absent: () => undefined,
};

/** Estimates are believed only when the progress agrees; these are right, far off, or missing. */
const ESTIMATES: Record<string, ((durationMs: number) => number) | undefined> = {
	right: (durationMs) => durationMs / 1_000,
	wrong: (durationMs) => durationMs / 3_000,
	none: undefined,
};

interface Case {
	progress: string;
	estimate: string;
	seconds: number;
}

interface Result extends Case {
	/** From the end of a task to the read that noticed it, in milliseconds. */
	lateMs: number;
	fixedLateMs: number;
	reads: number;
	fixedReads: number;
	/** Of the task for which this is most: reads more than the fixed interval has. */
	mostExtraReads: number;
}

/** When tasks are read, in simulated time: how late their end is noticed, by how many reads. */
export async function benchPolling(tell: (line: string) => void): Promise<Report> {
	const results: Result[] = [];
	for (const progress of Object.keys(PROGRESS)) {
		tell(`polling with ${progress} progress`);
		for (const estimate of Object.keys(ESTIMATES)) {
			for (const seconds of SECONDS) results.push(await run({ progress, estimate, seconds }));
		}
	}
	return {
		title: `Polls in simulated time, interval ${INTERVAL_MS / 1_000} s, ${TASKS} tasks each`,
		tables: [table(results.filter(({ estimate }) => estimate === 'right').map(rowOf))],
		bounds: boundsOf(results),
	};
}

async function run(wanted: Case): Promise<Result> {
	const random = seededRandom(SEED);
	const durations = Array.from({ length: TASKS }, () =>
		Math.round(wanted.seconds * 1_000 * (1 + SPREAD * (2 * random() - 1))),
	);
	const scene = new Scene(
		{
			durationMs: (request) => durations[Number(request.slice('item '.length))] ?? 0,
			percent: PROGRESS[wanted.progress],
			estimateSeconds: ESTIMATES[wanted.estimate],
		},
		random,
	);
	const wait = { intervalMs: INTERVAL_MS, timeoutMs: 60 * MINUTE };
	await scene.run(createJobs(TASKS, wait), { maxConcurrentTasks: AT_ONCE });
	const tasks = scene.service.tasks.map((task) => {
		const reads = scene.service.reads.filter(({ taskId }) => taskId === task.id);
		const lengthMs = task.finalMs - task.createdMs;
		const fixedReads = Math.ceil(lengthMs / INTERVAL_MS);
		return {
			lateMs: (reads.at(-1)?.atMs ?? 0) - task.finalMs,
			fixedLateMs: fixedReads * INTERVAL_MS - lengthMs,
			reads: reads.length,
			fixedReads,
		};
	});
	const of = (values: (task: (typeof tasks)[number]) => number) => tasks.map(values);
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / TASKS;
	return {
		...wanted,
		lateMs: median(of(({ lateMs }) => lateMs)),
		fixedLateMs: median(of(({ fixedLateMs }) => fixedLateMs)),
		reads: mean(of(({ reads }) => reads)),
		fixedReads: mean(of(({ fixedReads }) => fixedReads)),
		mostExtraReads: Math.max(...of(({ reads, fixedReads }) => reads - fixedReads)),
	};
}

const rowOf = (result: Result): Row => ({
	Progress: result.progress,
	'Tasks of': `${result.seconds} s`,
	'Noticed after': `${number(result.lateMs / 1_000)} s`,
	'Fixed interval': `${number(result.fixedLateMs / 1_000)} s`,
	'Reads / task': number(result.reads),
	'Fixed reads': number(result.fixedReads),
});

function boundsOf(results: Result[]): Bound[] {
	const most = (progress: string[], value: (result: Result) => number) =>
		Math.max(...results.filter((one) => progress.includes(one.progress)).map(value));
	const others = Object.keys(PROGRESS).filter((progress) => progress !== 'linear');
	const absent = results.filter(({ progress }) => progress === 'absent');
	return [
		{
			what: 'median time from end to notice with linear progress',
			measured: most(['linear'], ({ lateMs }) => lateMs / 1_000),
			atMost: 1,
			unit: 's',
		},
		{
			what: 'median time from end to notice without progress, in intervals',
			measured: median(absent.map(({ lateMs }) => lateMs / INTERVAL_MS)),
			atMost: 0.5,
		},
		{
			what: 'with any other progress, median later than at the fixed interval',
			measured: most(others, ({ lateMs, fixedLateMs }) => (lateMs - fixedLateMs) / 1_000),
			atMost: 0.1,
			unit: 's',
		},
		{
			what: 'reads of any task more than the fixed interval has',
			measured: most(Object.keys(PROGRESS), ({ mostExtraReads }) => mostExtraReads),
			atMost: 0,
		},
	];
}
