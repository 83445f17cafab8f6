import { z } from 'zod';
import { modelOf } from '../../../nodes/Videogen/service/contract/limits';
import { startTestbed, type Testbed } from '../realN8n/testbed';
import type { N8nVersion } from '../realN8n/versions';
import { videogenWorkflow, type NewWorkflow } from '../realN8n/workflows';
import type { Bound, Report } from './bound';
import { allAtOnceFlow, loopFlow, type HandBuilt } from './flows';
import { number, table, type Row } from './table';

const VERSION: N8nVersion = '2.0.3';
/** Both for this node and for the wait of the hand-built flows. */
const INTERVAL_SECONDS = 5;

/** Few tasks, so that even one by one it is bearable. */
const FEW = { tasks: 10, seconds: 6, atMostSeconds: 7.5 };
const MANY = { tasks: 50, seconds: 12, atMostSeconds: 14 };
/** Besides the reads that a fixed interval has. */
const CREATES = 1;

interface Load {
	tasks: number;
	seconds: number;
	/** What this node may take for all of them together. */
	atMostSeconds: number;
}

interface FlowRun extends Load {
	name: string;
	wallSeconds: number;
	requests: number;
	/** Of the task that had the most. */
	mostRequests: number;
}

/** This node beside hand-built flows, on a real n8n. */
export async function benchServer(tell: (line: string) => void): Promise<Report> {
	const bed = await startTestbed(VERSION);
	try {
		const runs: FlowRun[] = [];
		for (const [name, load, flow] of cases(bed)) {
			tell(`${name}: ${load.tasks} tasks of ${load.seconds} s`);
			runs.push(await runFlow(bed, name, load, flow));
		}
		return report(VERSION, runs);
	} finally {
		await bed.stop();
	}
}

const THIS_NODE = 'This node';

const cases = (bed: Testbed): Array<[string, Load, NewWorkflow]> => [
	[THIS_NODE, FEW, nodeFlow(bed, FEW)],
	['HTTP Request, all at once', FEW, allAtOnceFlow(handBuilt(bed, FEW, 'All at once'))],
	['HTTP Request, Loop Over Items', FEW, loopFlow(handBuilt(bed, FEW, 'One by one'))],
	[THIS_NODE, MANY, nodeFlow(bed, MANY)],
	['HTTP Request, all at once', MANY, allAtOnceFlow(handBuilt(bed, MANY, 'Many at once'))],
];

const promptsOf = ({ tasks }: Load): string[] =>
	Array.from({ length: tasks }, (_, index) => `A lighthouse in a storm, take ${index + 1}`);

const nodeFlow = ({ credential }: Testbed, load: Load): NewWorkflow =>
	videogenWorkflow({
		name: `${THIS_NODE}, ${load.tasks} tasks`,
		credential,
		parameters: {
			prompt: '={{ $json.prompt }}',
			options: { maxConcurrentTasks: load.tasks, pollIntervalSeconds: INTERVAL_SECONDS },
		},
		items: promptsOf(load).map((prompt) => ({ prompt })),
	});

const handBuilt = ({ sim }: Testbed, load: Load, name: string): HandBuilt => ({
	name,
	baseUrl: sim.baseUrl,
	prompts: promptsOf(load),
	model: modelOf(sim.options.modelFamily, 'text-to-video'),
	waitSeconds: INTERVAL_SECONDS,
});

async function runFlow(
	{ api, sim }: Testbed,
	name: string,
	load: Load,
	flow: NewWorkflow,
): Promise<FlowRun> {
	sim.reset();
	sim.planTask({ durationMs: load.seconds * 1_000, times: load.tasks });
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	const { status, raw } = await api.waitForExecution(id);
	const tasks = [...sim.tasks.values()];
	const completed = tasks.filter((task) => task.status() === 'completed').length;
	if (status !== 'success' || tasks.length !== load.tasks || completed !== load.tasks) {
		throw new Error(`${name} did not do its work: ${status}, ${completed} tasks completed`);
	}
	const perTask = tasks.map((task) => sim.requests.filter((one) => one.taskId === task.id).length);
	return {
		name,
		...load,
		wallSeconds: secondsOf(raw),
		requests: sim.requests.length,
		mostRequests: Math.max(...perTask),
	};
}

const timesSchema = z.object({ startedAt: z.coerce.date(), stoppedAt: z.coerce.date() });

/** By n8n's own account, so that asking for the end does not count. */
function secondsOf(rawExecution: string): number {
	const { startedAt, stoppedAt } = timesSchema.parse(JSON.parse(rawExecution));
	return (stoppedAt.getTime() - startedAt.getTime()) / 1_000;
}

function report(version: N8nVersion, runs: FlowRun[]): Report {
	return {
		title: `n8n ${version}: many videos at once, poll interval and wait ${INTERVAL_SECONDS} s`,
		tables: [table(runs.map(rowOf))],
		bounds: runs.filter(({ name }) => name === THIS_NODE).flatMap((run) => boundsOf(run, runs)),
	};
}

const rowOf = (run: FlowRun): Row => ({
	Flow: run.name,
	Tasks: String(run.tasks),
	'Each takes': `${run.seconds} s`,
	'Wall time': `${number(run.wallSeconds)} s`,
	'Wall / slowest task': number(run.wallSeconds / run.seconds, 2),
	Requests: String(run.requests),
	'Requests / task': number(run.requests / run.tasks, 2),
});

const boundsOf = (run: FlowRun, runs: FlowRun[]): Bound[] => [
	{
		what: `${run.tasks} equal tasks of ${run.seconds} s`,
		measured: run.wallSeconds,
		atMost: run.atMostSeconds,
		unit: 's',
	},
	{
		what: `the same, compared with the fastest hand-built flow of ${run.tasks} tasks`,
		measured: run.wallSeconds / fastestOther(run, runs),
		atMost: 1,
		unit: 'times',
	},
	{
		what: `requests of the task with the most, of ${run.tasks}`,
		measured: run.mostRequests,
		atMost: Math.ceil(run.seconds / INTERVAL_SECONDS) + CREATES,
	},
];

const fastestOther = ({ tasks }: FlowRun, runs: FlowRun[]): number =>
	Math.min(
		...runs
			.filter((other) => other.tasks === tasks && other.name !== THIS_NODE)
			.map(({ wallSeconds }) => wallSeconds),
	);
