import { startTestbed, type Testbed } from '../realN8n/testbed';
import type { Execution } from '../realN8n/api';
import { N8N_VERSIONS, type N8nVersion } from '../realN8n/versions';
import {
	VIDEOGEN_NODE,
	chainWorkflow,
	triggerNode,
	videogenWorkflow,
	type NewWorkflow,
} from '../realN8n/workflows';
import type { Bound, Report } from './bound';
import { MEGABYTE, riseOf } from './resident';
import { number, table, type Row } from './table';

/** One huge file, and several large ones in one execution. */
const ONE_HUGE = { files: 1, megabytes: 1_000 };
const TEN_LARGE = { files: 10, megabytes: 100 };
/** What a buffering flow is shown with; with a few times as much, n8n breaks down or answers nobody for minutes. */
const ONE_SMALL = { files: 1, megabytes: 10 };

/** How much the memory of n8n may rise, whatever the size of the files. */
const MAX_RISE_MEGABYTES = 60;

interface Load {
	files: number;
	megabytes: number;
}

interface FileRun extends Load {
	name: string;
	version: N8nVersion;
	/** Of n8n and its task runners together; `undefined` when n8n gave up. */
	riseBytes: number | undefined;
}

const THIS_NODE = 'This node';
const CODE_NODE = 'Code node, arraybuffer';

/** The memory that downloads take, on real n8n servers with their usual storage. */
export async function benchFiles(tell: (line: string) => void): Promise<Report> {
	const runs: FileRun[] = [];
	for (const version of N8N_VERSIONS) {
		const bed = await startTestbed(version);
		try {
			// The first executions load and compile code, which has nothing to do with the size.
			for (const work of [download, download, buffer]) {
				await work(bed, { files: 1, megabytes: 1 });
			}
			await download(bed, { files: 2, megabytes: 50 });
			for (const [name, load, work] of CASES) {
				tell(`${version}, ${name}: ${load.files} × ${load.megabytes} MB`);
				runs.push({ name, version, ...load, riseBytes: await riseOrNothing(bed, load, work) });
			}
		} finally {
			await bed.stop();
		}
	}
	return report(runs);
}

type Work = (bed: Testbed, load: Load) => Promise<boolean>;

async function riseOrNothing(bed: Testbed, load: Load, work: Work): Promise<number | undefined> {
	let worked = false;
	const rise = await riseOf(bed.processGroup, async () => {
		worked = await work(bed, load).catch(() => false);
	});
	return worked ? rise : undefined;
}

async function execute({ api, sim }: Testbed, load: Load, flow: NewWorkflow): Promise<Execution> {
	sim.reset();
	const resultBytes = load.megabytes * MEGABYTE;
	sim.planTask({ resultBytes, times: load.files });
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	return await api.waitForExecution(id);
}

/** Downloads with this node; the files must be there afterwards, with all their bytes. */
const download: Work = async (bed, load) => {
	const items = Array.from({ length: load.files }, (_, index) => ({ prompt: `video ${index}` }));
	const flow = videogenWorkflow({
		name: THIS_NODE,
		credential: bed.credential,
		parameters: { prompt: '={{ $json.prompt }}', downloadResults: true },
		items,
	});
	const execution = await execute(bed, load, flow);
	const sizes = execution.output(VIDEOGEN_NODE).map(({ binary }) => binary?.data?.fileSize);
	const wanted = items.map(() => shownSize(load.megabytes));
	return execution.status === 'success' && String(sizes) === String(wanted);
};

/** As n8n writes it beside a file. */
const shownSize = (megabytes: number): string =>
	megabytes >= 1_000 ? `${megabytes / 1_000} GB` : `${megabytes} MB`;

/** The usual lines for a file in n8n's Code node: all of it in memory. */
const buffer: Work = async (bed, load) => {
	bed.sim.reset();
	const resultBytes = load.megabytes * MEGABYTE;
	const [url = ''] = bed.sim.addTask({ status: 'completed', resultBytes }).results();
	const flow = codeFlow(url);
	const started = await bed.api.runWorkflow(await bed.api.createWorkflow(flow));
	const { status } = await bed.api.waitForExecution(started);
	return status === 'success';
};

const codeFlow = (url: string): NewWorkflow => {
	const jsCode = [
		`const url = ${JSON.stringify(url)};`,
		"const body = await this.helpers.httpRequest({ url, encoding: 'arraybuffer' });",
		"const data = await this.helpers.prepareBinaryData(Buffer.from(body), 'video.mp4');",
		'return [{ json: {}, binary: { data } }];',
	].join('\n');
	const code = {
		name: 'Code',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode },
	};
	return chainWorkflow({ name: CODE_NODE, credentials: {}, nodes: [triggerNode(), code] });
};

const CASES: Array<[string, Load, Work]> = [
	[THIS_NODE, ONE_HUGE, download],
	[THIS_NODE, TEN_LARGE, download],
	[CODE_NODE, ONE_SMALL, buffer],
];

const report = (runs: FileRun[]): Report => ({
	title: "Memory of n8n while results are downloaded, in n8n's filesystem mode",
	tables: [table(runs.map(rowOf))],
	bounds: runs.filter(({ name }) => name === THIS_NODE).map(boundOf),
});

const rowOf = ({ name, version, files, megabytes, riseBytes }: FileRun): Row => ({
	Flow: name,
	n8n: version,
	Files: String(files),
	Each: `${megabytes} MB`,
	'Memory rises by': riseBytes === undefined ? 'ended in an error' : megabytesOf(riseBytes),
});

const megabytesOf = (bytes: number): string => `${number(bytes / MEGABYTE, 0)} MB`;

const boundOf = ({ version, files, megabytes, riseBytes }: FileRun): Bound => ({
	what: `n8n ${version}: memory rises while ${files} × ${megabytes} MB are downloaded`,
	measured: riseBytes === undefined ? Number.POSITIVE_INFINITY : riseBytes / MEGABYTE,
	atMost: MAX_RISE_MEGABYTES,
	unit: 'MB',
});
