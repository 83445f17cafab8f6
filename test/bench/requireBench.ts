import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ensureN8n, n8nFolder } from '../n8n/install';
import { nodeFor } from '../n8n/nodeRuntime';
import { run } from '../n8n/process';
import { N8N_VERSIONS, type N8nVersion } from '../n8n/recipes';
import type { Bound, Report } from './bound';
import { median, type Cost } from './measure';
import { number, table, type Row } from './table';

const REPOSITORY = path.resolve(__dirname, '../..');
const BUILT_NODE = 'dist/nodes/Videogen/Videogen.node.js';
const OPEN_AI_NODE =
	'node_modules/@n8n/n8n-nodes-langchain/dist/nodes/vendors/OpenAi/OpenAi.node.js';

const ROUNDS = 10;
/** Of processor time: what other programs do at the same time has no part in it. */
const MAX_REQUIRE_MS = 50;

/** What n8n has loaded long before it loads a node of this package. */
const LOADED_BY_N8N = ['n8n-workflow', 'zod'];

const costSchema = z.object({ wallMs: z.number(), cpuMs: z.number() });

interface Subject {
	name: string;
	version: N8nVersion;
	file: string;
}

interface Measured extends Subject {
	/** With what n8n has loaded, and with nothing. */
	inN8n: Cost;
	alone: Cost;
}

const THIS_NODE = 'This node';

/** How long the built node takes to load in a fresh process, beside n8n's own OpenAI node. */
export async function benchRequire(tell: (line: string) => void): Promise<Report> {
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-require-'));
	try {
		// Away from this repository's packages, so that it finds those of each n8n.
		await cp(path.join(REPOSITORY, 'dist'), path.join(folder, 'dist'), { recursive: true });
		const measured: Measured[] = [];
		for (const version of N8N_VERSIONS) {
			await ensureN8n(version, { onProgress: tell });
			const subjects: Subject[] = [
				{ name: THIS_NODE, version, file: path.join(folder, BUILT_NODE) },
				{ name: 'OpenAI, of n8n', version, file: path.join(n8nFolder(version), OPEN_AI_NODE) },
			];
			for (const subject of subjects) {
				tell(`${version}, ${subject.name}: ${ROUNDS} fresh processes, twice`);
				measured.push(await measure(subject));
			}
		}
		return report(measured);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function measure(subject: Subject): Promise<Measured> {
	const inN8n: Cost[] = [];
	const alone: Cost[] = [];
	// The first one warms the cache of the file system.
	await costOf(subject, []);
	for (let round = 0; round < ROUNDS; round += 1) {
		inN8n.push(await costOf(subject, LOADED_BY_N8N));
		alone.push(await costOf(subject, []));
	}
	return { ...subject, inN8n: medianOf(inN8n), alone: medianOf(alone) };
}

async function costOf({ version, file }: Subject, loadedBefore: string[]): Promise<Cost> {
	const program = path.join(__dirname, 'requireTime.cjs');
	const env = { ...process.env, NODE_PATH: path.join(n8nFolder(version), 'node_modules') };
	const args = [program, file, ...loadedBefore];
	return costSchema.parse(JSON.parse(await run(nodeFor(version).binary, args, { env })));
}

const medianOf = (costs: Cost[]): Cost => ({
	wallMs: median(costs.map(({ wallMs }) => wallMs)),
	cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
});

function report(measured: Measured[]): Report {
	return {
		title: `Loading the node: median of ${ROUNDS} fresh processes`,
		tables: [table(measured.map(rowOf))],
		bounds: measured.filter(({ name }) => name === THIS_NODE).map(boundOf),
	};
}

const rowOf = ({ name, version, inN8n, alone }: Measured): Row => ({
	Node: name,
	n8n: version,
	'CPU in n8n': milliseconds(inN8n.cpuMs),
	'Wall in n8n': milliseconds(inN8n.wallMs),
	'CPU alone': milliseconds(alone.cpuMs),
	'Wall alone': milliseconds(alone.wallMs),
});

const milliseconds = (value: number): string => `${number(value)} ms`;

const boundOf = ({ version, inN8n }: Measured): Bound => ({
	what: `n8n ${version}: processor time to load the node where ${LOADED_BY_N8N.join(' and ')} are loaded`,
	measured: inN8n.cpuMs,
	atMost: MAX_REQUIRE_MS,
	unit: 'ms',
});
