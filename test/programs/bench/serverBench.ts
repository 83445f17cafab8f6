import { z } from 'zod';
import { startTestbed, type Testbed } from '../realN8n/testbed';
import type { N8nVersion } from '../realN8n/versions';
import { videogenWorkflow } from '../realN8n/workflows';
import { tell, type Bound, type Report, type Row } from './report';

const VERSION: N8nVersion = '2.0.3';
const INTERVAL_SECONDS = 5;
/** Besides the reads that a fixed interval has. */
const CREATES = 1;

interface Load {
	tasks: number;
	seconds: number;
	/** For all of them together. */
	atMostSeconds: number;
}

const LOADS: Load[] = [
	{ tasks: 10, seconds: 6, atMostSeconds: 7.5 },
	{ tasks: 50, seconds: 12, atMostSeconds: 14 },
];

interface LoadRun extends Load {
	wallSeconds: number;
	requests: number;
	/** Of the task that had the most. */
	mostRequests: number;
}

/** Many videos at once on a real n8n. */
export async function benchServer(): Promise<Report> {
	const bed = await startTestbed(VERSION);
	try {
		const runs: LoadRun[] = [];
		for (const load of LOADS) {
			tell(`${load.tasks} tasks of ${load.seconds} s`);
			runs.push(await run(bed, load));
		}
		return {
			title: `n8n ${VERSION}: many videos at once, poll interval ${INTERVAL_SECONDS} s`,
			tables: [runs.map(rowOf)],
			bounds: runs.flatMap(boundsOf),
		};
	} finally {
		await bed.stop();
	}
}

async function run({ api, sim, credential }: Testbed, load: Load): Promise<LoadRun> {
	sim.reset();
	sim.planTask({ durationMs: load.seconds * 1_000, times: load.tasks });
	const workflow = videogenWorkflow({
		name: `${load.tasks} tasks`,
		credential,
		parameters: {
			prompt: '={{ $json.prompt }}',
			options: {
				maxNewTasks: load.tasks,
				maxConcurrentTasks: load.tasks,
				pollIntervalSeconds: INTERVAL_SECONDS,
			},
		},
		items: Array.from({ length: load.tasks }, (_, index) => ({ prompt: `Take ${index + 1}` })),
	});
	const id = await api.runWorkflow(await api.createWorkflow(workflow));
	const { status, raw } = await api.waitForExecution(id);
	const tasks = [...sim.tasks.values()];
	const completed = tasks.filter((task) => task.status() === 'completed').length;
	if (status !== 'success' || tasks.length !== load.tasks || completed !== load.tasks) {
		throw new Error(`n8n did not do its work: ${status}, ${completed} tasks completed`);
	}
	const perTask = tasks.map((task) => sim.requests.filter((one) => one.taskId === task.id).length);
	return {
		...load,
		wallSeconds: secondsOf(raw),
		requests: sim.requests.length,
		mostRequests: Math.max(...perTask),
	};
}

const timesSchema = z.object({ startedAt: z.coerce.date(), stoppedAt: z.coerce.date() });

/** By n8n's own account, so that asking for the end does not count. */
export function secondsOf(rawExecution: string): number {
	const { startedAt, stoppedAt } = timesSchema.parse(JSON.parse(rawExecution));
	return (stoppedAt.getTime() - startedAt.getTime()) / 1_000;
}

const rowOf = (run: LoadRun): Row => ({
	Tasks: String(run.tasks),
	'Each takes': `${run.seconds} s`,
	'Wall time': `${run.wallSeconds.toFixed(1)} s`,
	'Wall / slowest task': (run.wallSeconds / run.seconds).toFixed(2),
	Requests: String(run.requests),
	'Requests / task': (run.requests / run.tasks).toFixed(2),
});

const boundsOf = (run: LoadRun): Bound[] => [
	{
		what: `seconds for ${run.tasks} equal tasks of ${run.seconds} s`,
		measured: run.wallSeconds,
		atMost: run.atMostSeconds,
	},
	{
		what: `requests of the task with the most, of ${run.tasks}`,
		measured: run.mostRequests,
		atMost: Math.ceil(run.seconds / INTERVAL_SECONDS) + CREATES,
	},
];
