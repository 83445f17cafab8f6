import { seededRandom } from '../support/random';
import { createJobs, MINUTE, Scene } from '../support/waitingRun';
import type { Bound, Report } from './bound';
import { median } from './measure';
import { number, table, type Row } from './table';

/** The node's own default, and the fixed interval that it is compared with. */
const INTERVAL_MS = 5_000;
const SHORT = [6, 12];
const HALF_HOUR = 1_500;
const SECONDS = [...SHORT, 60, 180, HALF_HOUR];
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

interface Case {
	progress: string;
	seconds: number;
}

interface Result extends Case {
	/** From the end of a task to the read that noticed it, in milliseconds. */
	lateMs: number;
	mostLateMs: number;
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
		for (const seconds of SECONDS) results.push(await run({ progress, seconds }));
	}
	return {
		title: `Polls in simulated time, interval ${INTERVAL_MS / 1_000} s, ${TASKS} tasks each`,
		tables: [table(results.map(rowOf))],
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
		},
		random,
	);
	const wait = { intervalMs: INTERVAL_MS, timeoutMs: 60 * MINUTE };
	await scene.run(createJobs(TASKS, wait));
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
		mostLateMs: Math.max(...of(({ lateMs }) => lateMs)),
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
	'At the latest': `${number(result.mostLateMs / 1_000)} s`,
	'Fixed interval': `${number(result.fixedLateMs / 1_000)} s`,
	'Reads / task': number(result.reads),
	'Fixed reads': number(result.fixedReads),
});

function boundsOf(results: Result[]): Bound[] {
	const most = (value: (result: Result) => number, progress: string[], seconds = SECONDS) =>
		Math.max(
			...results
				.filter((one) => progress.includes(one.progress) && seconds.includes(one.seconds))
				.map(value),
		);
	return [
		{
			what: `median time from end to notice with even progress, up to ${Math.max(...SHORT)} s`,
			measured: most(({ lateMs }) => lateMs / 1_000, ['even'], SHORT),
			atMost: 0.3,
			unit: 's',
		},
		{
			what: 'the same of any length',
			measured: most(({ lateMs }) => lateMs / 1_000, ['even']),
			atMost: 15,
			unit: 's',
		},
		{
			what: 'longest time from end to notice with even progress or none',
			measured: most(({ mostLateMs }) => mostLateMs / 1_000, ['even', 'absent']),
			atMost: 30,
			unit: 's',
		},
		{
			what: 'the same with any progress',
			measured: most(({ mostLateMs }) => mostLateMs / 1_000, Object.keys(PROGRESS)),
			atMost: 60,
			unit: 's',
		},
		{
			what: `reads of a task of ${HALF_HOUR} s without progress`,
			measured: most(({ reads }) => reads, ['absent'], [HALF_HOUR]),
			atMost: 95,
		},
		{
			what: 'the same with even progress',
			measured: most(({ reads }) => reads, ['even'], [HALF_HOUR]),
			atMost: 45,
		},
		{
			what: 'reads of any task more than the fixed interval has',
			measured: most(({ mostExtraReads }) => mostExtraReads, Object.keys(PROGRESS)),
			atMost: 1,
		},
	];
}
