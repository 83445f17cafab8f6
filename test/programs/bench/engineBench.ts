import '../support/quietLogs';
import { createSettingsFrom } from '../../../nodes/Videogen/parameters/options';
import { Engine, type RunRequest } from '../support/engine';
import { fastClock } from '../support/clocks';
import type { Bound, Report } from './bound';
import { median, peakBytesOf, timeOf, type Cost } from './measure';
import { plainNode } from './plainNode';
import { startService, type ServiceProcess } from './serviceProcess';
import { number, table, type Row } from './table';

/** How many items, and how often: the fewer, the more a single run is up to chance. */
const SIZES = [
	{ items: 10, rounds: 15 },
	{ items: 100, rounds: 7 },
	{ items: 1_000, rounds: 3 },
	{ items: 5_000, rounds: 3 },
];
const [FEW, MANY] = [100, 5_000];
const MOST_GROWTH = 1.5;
/** Beside bare calls that send the same requests. */
const MOST_TIMES_PLAIN = 1.3;

/** Enough for the compiler of the JavaScript engine to have come to rest. */
const WARM_UP_ITEMS = 1_000;

/** The node's own default for unfinished tasks; the plain calls are as many at once. */
const AT_ONCE = createSettingsFrom({}).maxConcurrentTasks;

interface Subject {
	/** Runs the workflow for so many items and gives n8n's result. */
	run(items: number): Promise<unknown>;
}

/** All for one item. */
interface Sample extends Cost {
	requests: number;
}

interface ItemCost extends Sample {
	peakBytes: number;
}

type Pair<T> = Record<'node' | 'plain', T>;

interface Measured extends Pair<ItemCost> {
	items: number;
}

/** What an item costs in n8n's engine, beside bare calls that send the same requests. */
export async function benchEngine(tell: (line: string) => void): Promise<Report> {
	const service = await startService();
	try {
		const node = await nodeSubject(service);
		const plain = await plainSubject(service);
		tell(`warming up with ${WARM_UP_ITEMS} items`);
		for (const subject of [node, plain]) await subject.run(WARM_UP_ITEMS);
		const measured: Measured[] = [];
		for (const { items, rounds } of SIZES) {
			tell(`${items} items, ${rounds} rounds`);
			measured.push(await measure({ node, plain }, service, items, rounds));
		}
		return report(measured);
	} finally {
		service.stop();
	}
}

/** More than the fast clock counts in a whole run. */
const TIMEOUT_MINUTES = 10_000;

async function nodeSubject({ baseUrl }: ServiceProcess): Promise<Subject> {
	const engine = await Engine.start(baseUrl);
	return {
		run: async (items) =>
			await runIn(engine, {
				items: inputOf(items),
				// A clock that jumps would not wait for the answers of another process.
				clock: fastClock(),
				parameters: {
					operation: 'createTextVideo',
					prompt: '={{ $json.prompt }}',
					options: {
						timeoutMinutes: TIMEOUT_MINUTES,
						maxConcurrentTasks: AT_ONCE,
						maxNewTasks: 1_000_000,
					},
				},
			}),
	};
}

/** The same engine with another node in the place of this one. */
async function plainSubject({ baseUrl }: ServiceProcess): Promise<Subject> {
	const engine = await Engine.start(baseUrl);
	const nodeType = plainNode(baseUrl, AT_ONCE);
	return {
		run: async (items) => await runIn(engine, { items: inputOf(items), parameters: {}, nodeType }),
	};
}

const inputOf = (items: number) =>
	Array.from({ length: items }, (_, index) => ({ prompt: `A lighthouse, take ${index + 1}` }));

async function runIn(engine: Engine, request: RunRequest): Promise<unknown> {
	const result = await engine.run(request);
	const completed = result.output.filter(({ json }) => json.status === 'completed').length;
	if (completed === request.items?.length) return result;
	throw new Error(`Only ${completed} items completed: ${result.error?.message ?? 'no error'}`);
}

/** In turns, so that whatever else the machine does strikes both alike. */
async function measure(
	subjects: Pair<Subject>,
	service: ServiceProcess,
	items: number,
	rounds: number,
): Promise<Measured> {
	const samples: Array<Pair<Sample>> = [];
	for (let round = 0; round < rounds; round += 1) {
		samples.push({
			plain: await sampleOf(subjects.plain, service, items),
			node: await sampleOf(subjects.node, service, items),
		});
	}
	const costOf = async (name: keyof Pair<Subject>): Promise<ItemCost> => ({
		...middleOf(samples.map((sample) => sample[name])),
		peakBytes: (await peakBytesOf(async () => await subjects[name].run(items))) / items,
	});
	return {
		items,
		node: await costOf('node'),
		plain: await costOf('plain'),
	};
}

async function sampleOf(subject: Subject, service: ServiceProcess, items: number): Promise<Sample> {
	await service.counts();
	const { cpuMs, wallMs } = await timeOf(async () => await subject.run(items));
	const { requests } = await service.counts();
	return { cpuMs: cpuMs / items, wallMs: wallMs / items, requests: requests / items };
}

const middleOf = (samples: Sample[]): Sample => ({
	cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
	wallMs: median(samples.map(({ wallMs }) => wallMs)),
	requests: median(samples.map(({ requests }) => requests)),
});

const report = (measured: Measured[]): Report => ({
	title: `n8n's engine: cost of one item, waiting left out, ${AT_ONCE} tasks at once`,
	tables: [table(measured.map(rowOf))],
	bounds: boundsOf(measured),
});

const rowOf = ({ items, node, plain }: Measured): Row => ({
	Items: String(items),
	'Node, CPU': `${number(node.cpuMs, 2)} ms`,
	'Plain, CPU': `${number(plain.cpuMs, 2)} ms`,
	Ratio: number(node.cpuMs / plain.cpuMs, 2),
	'Node, wall': `${number(node.wallMs, 2)} ms`,
	'Plain, wall': `${number(plain.wallMs, 2)} ms`,
	'Node, peak heap': `${number(node.peakBytes / 1_024)} KiB`,
	'Plain, peak heap': `${number(plain.peakBytes / 1_024)} KiB`,
	'Node, requests': number(node.requests, 2),
	'Plain, requests': number(plain.requests, 2),
});

function boundsOf(measured: Measured[]): Bound[] {
	const few = measured.find(({ items }) => items === FEW);
	const many = measured.find(({ items }) => items === MANY);
	if (few === undefined || many === undefined) return [];
	const growth = (kind: string, measure: (sample: Sample) => number): Bound => ({
		what: `${kind} per item at ${MANY} items, compared with ${FEW}`,
		measured: measure(many.node) / measure(few.node),
		atMost: MOST_GROWTH,
		unit: 'times',
	});
	return [
		growth('CPU time', ({ cpuMs }) => cpuMs),
		growth('wall time', ({ wallMs }) => wallMs),
		{
			what: `CPU time per item at ${MANY} items, compared with plain requests`,
			measured: many.node.cpuMs / many.plain.cpuMs,
			atMost: MOST_TIMES_PLAIN,
			unit: 'times',
		},
	];
}
