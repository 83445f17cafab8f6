import { startTestbed, type Testbed } from '../realN8n/testbed';
import { NEWEST, OLDEST, type N8nVersion } from '../realN8n/versions';
import { VIDEOGEN_NODE, videogenWorkflow } from '../realN8n/workflows';
import type { Bound, Report } from './bound';
import { MEGABYTE, riseOf } from './resident';
import { number, table, type Row } from './table';

/**
 * How much the memory of n8n may rise, whatever the results weigh. Most of it is n8n's own: it keeps
 * a file as text, and writes that text again to save the execution and to show it.
 */
const MAX_RISE_MEGABYTES = 600;

interface Load {
	files: number;
	megabytes: number;
	/** How many of them are small enough together to be kept. */
	kept: number;
	/** Whether the host says how large a file is. */
	isDeclared: boolean;
}

/** From small to large: memory that n8n has had once it keeps for the next. */
const LOADS: Load[] = [
	{ files: 2, megabytes: 500, kept: 0, isDeclared: true },
	{ files: 2, megabytes: 500, kept: 0, isDeclared: false },
	{ files: 1, megabytes: 10, kept: 1, isDeclared: true },
	{ files: 10, megabytes: 9, kept: 5, isDeclared: true },
	{ files: 1, megabytes: 49, kept: 1, isDeclared: true },
];

interface MemoryRun extends Load {
	version: N8nVersion;
	riseBytes: number;
}

/** The memory that downloads take where n8n keeps files in its memory. */
export async function benchMemory(tell: (line: string) => void): Promise<Report> {
	const runs: MemoryRun[] = [];
	for (const version of [OLDEST, NEWEST]) {
		const bed = await startTestbed(version, { N8N_DEFAULT_BINARY_DATA_MODE: 'default' });
		try {
			// The first executions load and compile code, which has nothing to do with the size.
			for (let warmUp = 0; warmUp < 3; warmUp += 1) {
				await download(bed, { files: 2, megabytes: 1, kept: 2, isDeclared: true });
			}
			for (const load of LOADS) {
				tell(`${version}: ${load.files} × ${load.megabytes} MB`);
				const work = async () => await download(bed, load);
				runs.push({ version, ...load, riseBytes: await riseOf(bed.processGroup, work) });
			}
		} finally {
			await bed.stop();
		}
	}
	return {
		title: 'Memory of n8n while results are downloaded, where n8n keeps files in its memory',
		tables: [table(runs.map(rowOf))],
		bounds: runs.map(boundOf),
	};
}

/** Fails unless as many files as can be kept are there afterwards. */
async function download({ api, sim, credential }: Testbed, load: Load): Promise<void> {
	const { files, megabytes, kept, isDeclared } = load;
	sim.reset();
	// Of different sizes, because n8n saves equal texts once.
	for (let file = 0; file < files; file += 1) {
		sim.planTask({ resultBytes: megabytes * MEGABYTE + 1_000 * file });
	}
	if (!isDeclared) sim.script({ on: 'result', times: files, fault: { kind: 'chunked' } });
	const flow = videogenWorkflow({
		name: 'Files in memory',
		credential,
		parameters: { prompt: '={{ $json.prompt }}', downloadResults: true },
		onError: 'continueRegularOutput',
		items: Array.from({ length: files }, (_, index) => ({ prompt: `video ${index}` })),
	});
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	const execution = await api.waitForExecution(id);
	const count = execution.output(VIDEOGEN_NODE).filter(({ binary }) => binary?.data).length;
	if (count !== kept) throw new Error(`${count} of ${files} files were kept, not ${kept}`);
}

const rowOf = ({ version, files, megabytes, kept, isDeclared, riseBytes }: MemoryRun): Row => ({
	n8n: version,
	Files: String(files),
	Each: `${megabytes} MB`,
	'Size declared': isDeclared ? 'yes' : 'no',
	Kept: String(kept),
	'Memory rises by': `${number(riseBytes / MEGABYTE, 0)} MB`,
});

const boundOf = ({ version, files, megabytes, riseBytes }: MemoryRun): Bound => ({
	what: `n8n ${version}: memory rises while ${files} × ${megabytes} MB are downloaded`,
	measured: riseBytes / MEGABYTE,
	atMost: MAX_RISE_MEGABYTES,
	unit: 'MB',
});
