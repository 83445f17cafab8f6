import { z } from 'zod';
import type { CredentialRef } from '../n8n/api';
import { startTestbed, type Testbed } from '../n8n/testbed';
import type { N8nVersion } from '../n8n/versions';
import { videogenWorkflow } from '../n8n/workflows';
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

/** Many videos at once on a real n8n. */
export async function benchServer(): Promise<Report> {
	const bed = await startTestbed(VERSION);
	try {
		const title = `n8n ${VERSION}: many videos at once, poll interval ${INTERVAL_SECONDS} s`;
		const rows: Row[] = [];
		const report: Report = { title, tables: [rows], bounds: [] };
		for (const load of LOADS) {
			tell(`${load.tasks} tasks of ${load.seconds} s`);
			const { row, bounds } = await run(bed, load);
			rows.push(row);
			report.bounds.push(...bounds);
		}
		return report;
	} finally {
		await bed.stop();
	}
}

async function run(
	{ api, sim, credential }: Testbed,
	{ tasks: count, seconds, atMostSeconds }: Load,
): Promise<{ row: Row; bounds: Bound[] }> {
	sim.reset();
	sim.planTask({ durationMs: seconds * 1_000, times: count });
	const id = await api.runWorkflow(await api.createWorkflow(workflowOf(count, credential)));
	const { status, raw } = await api.waitForExecution(id);
	const tasks = [...sim.tasks.values()];
	const completed = tasks.filter((task) => task.status() === 'completed').length;
	if (status !== 'success' || tasks.length !== count || completed !== count) {
		throw new Error(`n8n did not do its work: ${status}, ${completed} tasks completed`);
	}
	const requests = sim.requests.length;
	const perTask = tasks.map((task) => sim.requests.filter((one) => one.taskId === task.id).length);
	const wallSeconds = secondsOf(raw);
	return {
		row: {
			Tasks: String(count),
			'Each takes': `${seconds} s`,
			'Wall time': `${wallSeconds.toFixed(1)} s`,
			'Wall / slowest task': (wallSeconds / seconds).toFixed(2),
			Requests: String(requests),
			'Requests / task': (requests / count).toFixed(2),
		},
		bounds: [
			{
				what: `seconds for ${count} equal tasks of ${seconds} s`,
				measured: wallSeconds,
				atMost: atMostSeconds,
			},
			{
				what: `requests of the task with the most, of ${count}`,
				measured: Math.max(...perTask),
				atMost: Math.ceil(seconds / INTERVAL_SECONDS) + CREATES,
			},
		],
	};
}

const workflowOf = (count: number, credential: CredentialRef) =>
	videogenWorkflow({
		name: `${count} tasks`,
		credential,
		parameters: {
			prompt: '={{ $json.prompt }}',
			options: {
				maxNewTasks: count,
				maxConcurrentTasks: count,
				pollIntervalSeconds: INTERVAL_SECONDS,
			},
		},
		items: Array.from({ length: count }, (_, index) => ({ prompt: `Take ${index + 1}` })),
	});

const timesSchema = z.object({ startedAt: z.coerce.date(), stoppedAt: z.coerce.date() });

/** By n8n's own account, so that asking for the end does not count. */
export function secondsOf(rawExecution: string): number {
	const { startedAt, stoppedAt } = timesSchema.parse(JSON.parse(rawExecution));
	return (stoppedAt.getTime() - startedAt.getTime()) / 1_000;
}
