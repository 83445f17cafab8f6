import type { IDataObject, INode } from 'n8n-workflow';
import {
	type Fault,
	type SimulatedTask,
	type Simulator,
	type SimulatorOptions,
	startSimulator,
} from '../../tools/simulator';
import { turnOfEventLoop } from '../../tools/virtualClock';
import { RequestClock } from './requestClock';
import { type RunRequest, type RunResult, type StartedRun, Engine, errorOf } from './engine';

/** What a test changes about a run. */
export interface Given extends Omit<Partial<RunRequest>, 'parameters' | 'retryOf'> {
	/** Added to the node's parameters. */
	more?: IDataObject;
	/** The run that a person starts again with *Retry execution*. */
	retryOf?: RunResult;
}

/** Longer than anything that a test waits for. */
const LONG = { pollIntervalSeconds: 5, timeoutMinutes: 10 * 60 };

export const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };
export const ERROR_OUTPUT: Partial<INode> = { onError: 'continueErrorOutput' };
export const TOOL: Partial<INode> = { type: 'n8n-nodes-videogen-tasks.videogenTool' };
export const NO_WAIT = { waitForCompletion: false };
export const RESEND = { options: { resendAfterNoReply: true } };
/** Another prompt on every try. */
export const NOW = { prompt: '={{ $json.prompt }} {{ $now }} {{ Math.random() }}' };

/** Retry On Fail with so many tries in all. */
export const tries = (maxTries: number): Partial<INode> => ({
	retryOnFail: true,
	maxTries,
	waitBetweenTries: 1,
});

export const status = (code: number, body?: unknown): Fault => ({
	...{ kind: 'status', status: code, body },
});
export const RESET: Fault = { kind: 'reset' };

/** Long enough for a run to come as far as it can without an answer. */
export async function turns(): Promise<void> {
	for (let turn = 0; turn < 200; turn += 1) await turnOfEventLoop();
}

export const numbered = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `number ${index}`);

export const idsOf = ({ output }: RunResult) => output.map(({ json }) => json.id);
export const statusesOf = ({ output }: RunResult) => output.map(({ json }) => json.status);
export const kindOf = (result: RunResult): unknown => errorOf(result).context.kind;
export const errorIn = ({ output }: RunResult, item = 0): unknown => output[item]?.json.error;

/** What the node has left in the execution for a retry, as JSON. */
export const memoryOf = ({ data }: RunResult): string =>
	JSON.stringify(data.executionData?.contextData ?? {});

/** What n8n shows beside the node's output, as JSON. */
export const hintsOf = ({ data }: RunResult): string =>
	JSON.stringify(data.resultData.runData.Videogen?.at(-1)?.hints ?? []);

/**
 * The built node in n8n's engine against a simulator of the service, for a whole test file: call
 * it once at the top. Every test begins with an empty simulator.
 */
export function useEngine(options: SimulatorOptions = {}) {
	let service: Simulator;
	let engine: Engine;
	// It is there when a test begins.
	const simulator = new Proxy<Simulator>(Object.create(null), {
		get: (_, name) => Reflect.get(service, name),
	});
	const clock = new RequestClock(() => service);

	beforeAll(async () => {
		service = await startSimulator({ now: clock.now, taskDurationMs: 25_000, ...options });
		engine = await Engine.start(service.baseUrl);
	});
	beforeEach(() => {
		clock.install();
		clock.forgetRequests();
		simulator.reset();
	});
	afterEach(() => {
		clock.remove();
		clock.forgetRequests();
		jest.restoreAllMocks();
	});
	afterAll(async () => await simulator.close());

	/** The node with exactly these parameters. */
	const startNode = (request: Omit<RunRequest, 'clock'>): StartedRun =>
		engine.start({ clock, ...request });
	const runNode = async (request: Omit<RunRequest, 'clock'>): Promise<RunResult> =>
		await startNode(request).result;

	/** Text to video, waiting, with an item for each prompt. */
	const start = (prompts: string[], { more, retryOf, ...given }: Given = {}): StartedRun =>
		startNode({
			parameters: {
				operation: 'createTextVideo',
				prompt: '={{ $json.prompt }}',
				...more,
				options: { ...LONG, ...Object(more?.options) },
			},
			items: prompts.map((prompt) => ({ prompt })),
			retryOf: retryOf?.data,
			...given,
		});
	const run = async (prompts: string[], given?: Given): Promise<RunResult> =>
		await start(prompts, given).result;

	/** The clicks of a test are all in one n8n process, each an execution of its own. */
	let process: RunRequest['process'];
	beforeEach(() => (process = newProcess()));
	const click = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
		await run(prompts, { mode: 'manual', process, ...given });
	const startClick = (prompts: string[], given: Given = {}): StartedRun =>
		start(prompts, { mode: 'manual', process, ...given });
	/** Another execution in the process of the clicks, which no person started. */
	const produce = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
		await click(prompts, { mode: 'trigger', ...given });

	const tasksOf = (prompt: string | RegExp): SimulatedTask[] =>
		[...simulator.tasks.values()].filter(({ prompt: text = '' }) =>
			typeof prompt === 'string' ? text === prompt : prompt.test(text),
		);
	/** The one task of a prompt; throws when there are none or several. */
	const taskOf = (prompt: string | RegExp): SimulatedTask => {
		const [task, ...others] = tasksOf(prompt);
		if (task === undefined || others.length > 0) throw new Error(`Not one task of ${prompt}`);
		return task;
	};
	const createsOf = (prompt: string) =>
		simulator.creates().filter((request) => request.prompt === prompt);
	const keys = (): unknown[] =>
		simulator.creates().map(({ headers }) => headers['idempotency-key']);
	/** The next create makes a task, and its answer is lost. */
	const loseAnswer = (prompt?: string) =>
		simulator.script({ on: 'create', prompt, createTask: true, fault: RESET });

	/** Starts a click whose first create the service has, and answers only when it is told. */
	async function startHeld(prompts: string[], given?: Given) {
		let answer = (): void => undefined;
		const until = new Promise<void>((resolve) => (answer = resolve));
		simulator.script({ on: 'create', fault: { kind: 'held', until } });
		const started = startClick(prompts, given);
		await simulator.waitForRequest(({ fault }) => fault === 'held');
		return { ...started, answer };
	}

	/** An n8n process that has created nothing so far. */
	const newProcess = () => engine.newProcess(clock);

	return {
		...{ simulator, clock, newProcess, runNode, start, run },
		...{ click, startClick, produce, tasksOf, taskOf, createsOf, keys, loseAnswer, startHeld },
	};
}
