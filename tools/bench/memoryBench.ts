import { startTestbed, type Testbed } from '../n8n/testbed';
import { NEWEST, OLDEST, type N8nVersion } from '../n8n/versions';
import { VIDEOGEN_NODE, videogenWorkflow } from '../n8n/workflows';
import { tell, type Report } from './report';
import { peakOf, residentBytes } from './resident';

const MEGABYTE = 1_000_000;

/** Where n8n keeps files. */
const STORAGES = [
	{
		mode: 'filesystem',
		where: 'on disk',
		/** How much the memory of n8n may rise, whatever the files weigh, in megabytes. */
		atMost: 60,
		/** The first executions load and compile code, which has nothing to do with the size. */
		warmUp: { files: 2, megabytes: 50 },
		/** From small to large: memory that n8n has had once it keeps for the next. */
		loads: [
			{ files: 1, megabytes: 1_000 },
			{ files: 10, megabytes: 100 },
		],
	},
	{
		mode: 'default',
		where: 'in memory',
		// Most of it is n8n's own: it keeps a file as text, and writes that text again to save the
		// execution and to show it.
		atMost: 600,
		warmUp: { files: 2, megabytes: 1 },
		loads: [
			{ files: 1, megabytes: 10 },
			{ files: 5, megabytes: 9 },
			{ files: 1, megabytes: 49 },
		],
	},
];

type Storage = (typeof STORAGES)[number];

/** The memory that downloads take, on real n8n servers. */
export async function benchMemory(): Promise<Report> {
	const title = 'Memory of n8n while results are downloaded';
	const report: Report = { title, rows: [], bounds: [] };
	for (const storage of STORAGES) {
		for (const version of [OLDEST, NEWEST]) await measure(version, storage, report);
	}
	return report;
}

async function measure(version: N8nVersion, storage: Storage, { rows, bounds }: Report) {
	const { mode, where, atMost, warmUp, loads } = storage;
	const bed = await startTestbed(version, { N8N_DEFAULT_BINARY_DATA_MODE: mode });
	try {
		for (let nth = 0; nth < 3; nth += 1) await download(bed, warmUp);
		// From the highest so far: how much garbage is left of the load before is chance.
		let highest = await residentBytes(bed.processGroup);
		for (const load of loads) {
			const { files, megabytes } = load;
			const what = `n8n ${version}, files ${where}: megabytes for ${files} × ${megabytes} MB`;
			tell(what);
			const peak = await peakOf(bed.processGroup, async () => await download(bed, load));
			const measured = Math.max(0, peak - highest) / MEGABYTE;
			highest = Math.max(highest, peak);
			bounds.push({ what, measured, atMost });
			rows.push({
				n8n: version,
				Stored: where,
				Files: `${files} × ${megabytes} MB`,
				'Memory rises by': `${measured.toFixed(0)} MB`,
			});
		}
	} finally {
		await bed.stop();
	}
}

/** Fails unless all files are there afterwards. */
async function download({ api, sim, credential }: Testbed, load: Storage['warmUp']): Promise<void> {
	const { files, megabytes } = load;
	sim.reset();
	// Of different sizes, because n8n saves equal texts once.
	for (let file = 0; file < files; file += 1) {
		sim.planTask({ resultBytes: megabytes * MEGABYTE + 1_000 * file });
	}
	const flow = videogenWorkflow({
		name: 'Files',
		credential,
		parameters: { prompt: '={{ $json.prompt }}', downloadResults: true },
		onError: 'continueRegularOutput',
		items: Array.from({ length: files }, (_, index) => ({ prompt: `video ${index}` })),
	});
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	const execution = await api.waitForExecution(id);
	const count = execution.output(VIDEOGEN_NODE).filter(({ binary }) => binary?.data).length;
	if (count !== files) throw new Error(`${count} of ${files} files were downloaded`);
}
