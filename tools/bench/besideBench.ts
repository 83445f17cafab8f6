import { startTestbed, type Testbed } from '../n8n/testbed';
import { NEWEST } from '../n8n/versions';
import {
	chainWorkflow,
	GEMINI_TYPE,
	triggerNode,
	VIDEOGEN_TYPE,
	type ChainNode,
	type Credentials,
} from '../n8n/workflows';
import { DEFAULT_API_KEY, type Rule, type TaskPlan } from '../simulator';
import { tell, type Report, type Row } from './report';
import { riseOf } from './resident';
import { secondsOf } from './serverBench';
import { startVeo, VEO_MODEL } from './veo';

const VIDEOS = 10;
const SECONDS = 6;
const MEGABYTE = 1_000_000;
const FILE_MEGABYTES = 200;
/** What a file takes is told apart from what code takes that runs for the first time. */
const WARM_UPS = 3;

const prompt = '={{ $json.prompt }}';
const modelId = { __rl: true, mode: 'id', value: VEO_MODEL };
/** Both as the editor places them; the bounds are for the first. */
const NODES: readonly ChainNode[] = [
	{ name: 'This node', type: VIDEOGEN_TYPE, typeVersion: 1, parameters: { prompt } },
	{
		name: "n8n's Gemini node",
		type: GEMINI_TYPE,
		typeVersion: 1.2,
		parameters: { resource: 'video', operation: 'generate', modelId, prompt },
	},
];

interface Scene {
	bed: Testbed;
	credentials: Credentials;
}

interface Figure {
	measured: number;
	/** As people read it. */
	text: string;
}

interface Comparison {
	what: string;
	atMost: number;
	measure: (scene: Scene, node: ChainNode) => Promise<Figure>;
}

const COMPARISONS: Comparison[] = [
	{
		what: `${VIDEOS} videos that take ${SECONDS} s each`,
		// Well under the time of all, one after the other.
		atMost: 2 * SECONDS,
		measure: async (scene, node) => {
			const plan = { durationMs: SECONDS * 1_000, times: VIDEOS };
			const { seconds, videos } = await run(scene, node, { items: VIDEOS, plan });
			if (videos !== VIDEOS) throw new Error(`${node.name} gave ${videos} of ${VIDEOS} videos`);
			return { measured: seconds, text: `${seconds.toFixed(1)} s` };
		},
	},
	{
		what: `Memory for a file of ${FILE_MEGABYTES} MB, on disk`,
		atMost: 60,
		measure: async (scene, node) => {
			for (let nth = 0; nth < WARM_UPS; nth += 1) await run(scene, node, {});
			const plan = { resultBytes: FILE_MEGABYTES * MEGABYTE };
			const rise = await riseOf(scene.bed.processGroup, async () => {
				const { videos } = await run(scene, node, { plan });
				if (videos !== 1) throw new Error(`${node.name} gave no file`);
			});
			return { measured: rise / MEGABYTE, text: `${(rise / MEGABYTE).toFixed(0)} MB more` };
		},
	},
	afterFault('One 503 while it waits', { on: 'task', fault: { kind: 'status', status: 503 } }),
	afterFault('One 429, “full”, at first', { on: 'create', fault: { kind: 'status', status: 429 } }),
];

/** Whether one video comes, and how many the service makes. */
function afterFault(what: string, fault: Rule): Comparison {
	const measure = async (scene: Scene, node: ChainNode) => {
		const { videos, tasks } = await run(scene, node, { fault });
		const outcome = videos === 1 ? 'The video' : 'An error';
		return { measured: 1 - videos, text: `${outcome}, ${tasks} created` };
	};
	return { what, atMost: 0, measure };
}

/** This node and n8n's own for Google's Veo, with the tasks of one service, on one n8n. */
export async function benchBeside(): Promise<Report> {
	const bed = await startTestbed(NEWEST);
	const veo = await startVeo(bed.sim.baseUrl);
	try {
		const key = { host: veo.baseUrl, apiKey: DEFAULT_API_KEY };
		const googlePalmApi = await bed.api.createCredential('Veo', key, 'googlePalmApi');
		return await compare({ bed, credentials: { videogenApi: bed.credential, googlePalmApi } });
	} finally {
		await bed.stop();
		await veo.close();
	}
}

async function compare(scene: Scene): Promise<Report> {
	const title = `This node and n8n's Google Gemini node (Generate a Video), n8n ${NEWEST}`;
	const rows: Row[] = [];
	const report: Report = { title, tables: [rows], bounds: [] };
	for (const { what, atMost, measure } of COMPARISONS) {
		const figures: Array<[string, Figure]> = [];
		for (const node of NODES) {
			tell(`${what}: ${node.name}`);
			figures.push([node.name, await measure(scene, node)]);
		}
		const texts = figures.map(([name, { text }]) => [name, text]);
		rows.push({ 'What was measured': what, ...Object.fromEntries(texts) });
		report.bounds.push({ what, measured: figures[0]?.[1].measured ?? Infinity, atMost });
	}
	return report;
}

let runs = 0;

/** One execution of the node by itself. */
async function run(
	{ bed: { api, sim }, credentials }: Scene,
	node: ChainNode,
	{ items = 1, plan, fault }: { items?: number; plan?: TaskPlan; fault?: Rule },
) {
	sim.reset();
	if (plan) sim.planTask(plan);
	if (fault) sim.script(fault);
	runs += 1;
	const flow = chainWorkflow({
		name: `Run ${runs}`,
		credentials,
		nodes: [triggerNode(), node],
		// No prompt comes twice: in the editor, this node would use the video that exists.
		items: Array.from({ length: items }, (_, index) => ({ prompt: `Run ${runs}, ${index}` })),
	});
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	const execution = await api.waitForExecution(id);
	const videos = execution.output(node.name).filter(({ binary }) => binary?.data).length;
	return { seconds: secondsOf(execution.raw), videos, tasks: sim.tasks.size };
}
