/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-hardcoded-secrets, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- It runs in Node.js, not in n8n. */
import { spawnSync } from 'node:child_process';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { executeVideogen } from '../../nodes/Videogen/run/execute';
import { type Clock, platformClock } from '../../nodes/Videogen/shared/clock';
import { SharedState } from '../../nodes/Videogen/work/sharedState';
import { ensureNode, NODE_BINARY } from '../n8n/nodeRuntime';
import { seededRandom } from '../seededRandom';
import { VirtualClock } from '../virtualClock';

const DAY_MS = 24 * 60 * 60_000;
const SEED = 20_261_128;
const LATENCY_MS = 50;
/** Executions of the figures on memory, which wait for their tasks in real time. */
const AT_ONCE = 100;

type Progress = (share: number) => number | undefined;

/** What records say of how far a task is, from the share of its time that has passed. */
const PROGRESS: readonly Progress[] = [
	(share) => Math.floor(100 * share),
	() => undefined,
	(share) => Math.floor(100 * Math.min(share, 0.5)),
	(share) => Math.min(99, Math.floor(300 * share)),
	(share) => [0, 5, 40, 40, 45, 90][Math.floor(share * 6)],
	(share) => Math.floor((300 * share) % 100),
];

interface ServiceOptions {
	/** How long a task takes. */
	taskMs?: number;
	progress?: Progress;
	/** How many unfinished tasks there are at most; beyond that, it answers 429. */
	maxUnfinished?: number;
	/** How long an answer takes. */
	latencyMs?: number;
}

/** A service behind n8n's helper for requests, which counts what it is asked. */
class BenchService {
	creates = 0;
	reads = 0;
	private readonly createdAt: number[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly options: ServiceOptions = {},
	) {}

	answer = async (_credential: string, { method, url }: IHttpRequestOptions) => {
		await this.clock.sleep(this.options.latencyMs ?? LATENCY_MS, new AbortController().signal);
		const task = method === 'POST' ? this.create() : this.read(Number(url.split('/').at(-1)));
		if (task === undefined) return { statusCode: 429, headers: { 'retry-after': '1' }, body: '{}' };
		return { statusCode: 200, headers: {}, body: JSON.stringify(task) };
	};

	/** Gives nothing when the service is full. */
	private create() {
		const { taskMs = 0, maxUnfinished = Infinity } = this.options;
		this.creates += 1;
		const now = this.clock.now();
		if (this.createdAt.filter((at) => at + taskMs > now).length >= maxUnfinished) return undefined;
		return { id: String(this.createdAt.push(now) - 1), status: 'pending' };
	}

	private read(index: number) {
		const { taskMs = 0, progress = PROGRESS[0] } = this.options;
		this.reads += 1;
		const id = String(index);
		const share = (this.clock.now() - (this.createdAt[index] ?? Infinity)) / taskMs;
		if (share < 1) return { id, status: 'processing', progress: progress?.(share) };
		return { id, status: 'completed', progress: 100, results: ['https://e.com/video.mp4'] };
	}
}

const OPERATION = { operation: 'createTextVideo', downloadResults: false };
const ALL_AT_ONCE: IDataObject = { maxNewTasks: 1_000, maxConcurrentTasks: 1_000 };

let executions = 0;

/** What n8n gives the node in an execution of its own in production. */
function contextOf(items: IDataObject[], service: BenchService, options: IDataObject) {
	const executionId = String((executions += 1));
	const parameters: IDataObject = { ...OPERATION, options };
	const stop = new AbortController();
	const ofNode = {};
	const credential = { apiKey: 'a-key-1234567890', baseUrl: 'https://service.test' };
	const node = { id: 'node', name: 'Videogen', type: 'videogen', typeVersion: 1, parameters };
	const context: IExecuteFunctions = Object.assign(Object.create(null), {
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (path: string, index: number, fallback: unknown) =>
			path === 'prompt' ? items[index]?.prompt : (parameters[path] ?? fallback),
		getNode: () => ({ ...node, position: [0, 0] }),
		getCredentials: async () => await Promise.resolve(credential),
		getContext: () => ofNode,
		getExecutionId: () => executionId,
		getExecutionCancelSignal: () => stop.signal,
		getInstanceId: () => 'n8n',
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		logger: { warn: () => undefined, info: () => undefined },
		helpers: { httpRequestWithAuthentication: service.answer },
	});
	return context;
}

/** As n8n calls the node: with the context as `this`, which the stack of an error may keep alive. */
async function execute(this: IExecuteFunctions, shared: SharedState) {
	return await executeVideogen(this, shared);
}

const itemsOf = (count: number, more: IDataObject = {}): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ prompt: `Video ${index}`, ...more }));

/** Executions that begin at once. */
async function executeAll(count: number, shared: SharedState, context: () => IExecuteFunctions) {
	const contexts = Array.from({ length: count }, context);
	await Promise.all(contexts.map(async (one) => await execute.call(one, shared)));
}

/** The same, of so many items each, in virtual time. */
async function play(count: number, items: number, options: ServiceOptions) {
	const clock = new VirtualClock(seededRandom(SEED));
	const service = new BenchService(clock, options);
	const given = { ...ALL_AT_ONCE, timeoutMinutes: 600 };
	await executeAll(count, new SharedState(clock), () => contextOf(itemsOf(items), service, given));
	const { creates, reads } = service;
	return { creates, reads, seconds: clock.now() / 1_000 };
}

async function batch(items: number, seconds: number, atMost: number): Promise<void> {
	const played = await play(1, items, { taskMs: seconds * 1_000 });
	tell(`seconds for ${items} tasks of ${seconds} s in one execution`, played.seconds, atMost);
}

async function herd(seconds: number): Promise<void> {
	const { creates } = await play(30, 1, { taskMs: seconds * 1_000, maxUnfinished: 3 });
	tell(`creates a video, 30 executions, 3 tasks of ${seconds} s at a time`, creates / 30, 4);
}

async function reads(): Promise<void> {
	const counts: number[] = [];
	for (const progress of PROGRESS) {
		counts.push((await play(1, 1, { taskMs: 600_000, progress })).reads);
	}
	tell('reads of a task of ten minutes, whatever its progress', Math.max(...counts), 70);
}

/** In real time; more would be created than the node may create, so nothing is sent. */
async function planning(): Promise<void> {
	const service = new BenchService(platformClock);
	const context = contextOf(itemsOf(10_000), service, {});
	const startMs = performance.now();
	await execute.call(context, new SharedState(platformClock)).catch(() => undefined);
	const seconds = (performance.now() - startMs) / 1_000;
	if (service.creates > 0) throw new Error('The limit let creates pass');
	tell('seconds until 10,000 items are planned and refused', seconds, 2);
}

/** What executions leave in this process once what it remembers for a day is gone. */
async function memory(count: number, items: number, bytes: number): Promise<void> {
	let skippedMs = 0;
	const clock: Clock = { ...platformClock, now: () => performance.now() + skippedMs };
	const shared = new SharedState(clock);
	const payload = () => ({ payload: Buffer.alloc(bytes, String(executions)).toString() });
	const runs = async (some: number) => {
		const service = new BenchService(clock, { latencyMs: 0 });
		const options = { ...ALL_AT_ONCE, pollIntervalSeconds: 1 };
		await executeAll(some, shared, () => contextOf(itemsOf(items, payload()), service, options));
	};
	const used = async () => {
		skippedMs += DAY_MS;
		await runs(1);
		for (let time = 0; time < 3; time += 1) {
			await new Promise((resolve) => setImmediate(resolve));
			global.gc?.();
		}
		return process.memoryUsage().heapUsed;
	};
	await runs(AT_ONCE);
	const before = await used();
	for (let done = 0; done < count; done += AT_ONCE) await runs(AT_ONCE);
	const left = (await used()) - before;
	const what = `kB that each of ${count} runs of ${items} items of ${bytes} bytes leaves`;
	tell(`${what}, Node ${process.versions.node}`, left / count / 1_000, 1);
}

/** In a process of its own, because garbage collection is only there when Node is told so. */
function memoryIn(node: string): void {
	const args = ['--expose-gc', '--import', 'tsx', __filename, 'memory'];
	if (spawnSync(node, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}

function tell(what: string, measured: number, atMost: number): void {
	const holds = measured <= atMost;
	if (!holds) process.exitCode = 1;
	console.log(`${holds ? 'PASS' : 'FAIL'}  ${what}: ${measured.toFixed(2)}, at most ${atMost}`);
}

async function main(): Promise<void> {
	if (process.argv.includes('memory')) {
		// The node's own timers keep no process alive.
		const alive = setInterval(() => undefined, 1_000);
		await memory(2_000, 20, 0);
		await memory(200, 1, 1_000_000);
		return clearInterval(alive);
	}
	await batch(10, 6, 6.6);
	await batch(50, 12, 13.2);
	for (const seconds of [4, 60]) await herd(seconds);
	await reads();
	await planning();
	await ensureNode();
	for (const node of new Set([process.execPath, NODE_BINARY])) memoryIn(node);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
