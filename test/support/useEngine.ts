import type { IDataObject, INode } from 'n8n-workflow';
import { isJsonObject } from '../../nodes/Videogen/shared/json';
import type { Clock } from '../../nodes/Videogen/shared/clock';
import {
	type Fault,
	type SimulatedTask,
	type Simulator,
	type SimulatorOptions,
	startSimulator,
} from '../../tools/simulator';
import { lazily } from './lazily';
import { RequestClock } from './requestClock';
import { type RunRequest, type RunResult, type StartedRun, Engine } from './engine';

/** What a test changes about a run. */
export interface Given extends Omit<Partial<RunRequest>, 'parameters' | 'items' | 'retryOf'> {
	/** Added to the node's parameters. */
	more?: IDataObject;
	/** The run that a person starts again with *Retry execution*. */
	retryOf?: RunResult;
}

interface Setup extends SimulatorOptions {
	/** Added to the parameters of every run. */
	parameters?: IDataObject;
	/** Default: virtual time. */
	clock?: Clock;
}

/** Longer than anything that a test waits for. */
const LONG = { pollIntervalSeconds: 5, timeoutMinutes: 10 * 60 };

const optionsOf = ({ options }: IDataObject = {}): IDataObject =>
	isJsonObject(options) ? options : {};

export const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };
export const ERROR_OUTPUT: Partial<INode> = { onError: 'continueErrorOutput' };

/** Retry On Fail with so many tries in all. */
export const tries = (maxTries: number): Partial<INode> => ({
	retryOnFail: true,
	maxTries,
	waitBetweenTries: 1,
});

export const status = (code: number, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	body,
});

export const idsOf = ({ output }: RunResult) => output.map(({ json }) => json.id);
export const statusesOf = ({ output }: RunResult) => output.map(({ json }) => json.status);

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
export function useEngine({ parameters, clock: other, ...options }: Setup = {}) {
	let service: Simulator;
	let engine: Engine;
	const simulator = lazily(() => service);
	const virtual = new RequestClock(
		() => 0.5,
		() => service,
	);
	const clock = other ?? virtual;

	beforeAll(async () => {
		service = await startSimulator({ now: clock.now, taskDurationMs: 25_000, ...options });
		engine = await Engine.start(service.baseUrl);
	});
	beforeEach(() => {
		if (clock === virtual) virtual.install();
		virtual.forgetRequests();
		simulator.reset();
	});
	afterEach(() => {
		virtual.remove();
		jest.restoreAllMocks();
	});
	afterAll(async () => await simulator.close());

	/** The node with exactly these parameters. */
	const startNode = (request: RunRequest): StartedRun => engine.start({ clock, ...request });
	const runNode = async (request: RunRequest): Promise<RunResult> =>
		await startNode(request).result;

	/** Text to video, waiting, with an item for each prompt. */
	const start = (prompts: string[], { more, retryOf, ...given }: Given = {}): StartedRun =>
		startNode({
			parameters: {
				operation: 'createTextVideo',
				prompt: '={{ $json.prompt }}',
				...parameters,
				...more,
				options: { ...LONG, ...optionsOf(parameters), ...optionsOf(more) },
			},
			items: prompts.map((prompt) => ({ prompt })),
			retryOf: retryOf?.data,
			...given,
		});
	const run = async (prompts: string[], given?: Given): Promise<RunResult> =>
		await start(prompts, given).result;

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

	/** An n8n process that has created nothing so far. */
	const newProcess = () => engine.newProcess(clock);

	return {
		simulator,
		clock,
		newProcess,
		runNode,
		start,
		run,
		tasksOf,
		taskOf,
		createsOf,
	};
}
