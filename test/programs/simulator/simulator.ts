import type { FinalStatus } from './taskRecord';
import type { DeliveredCallback } from './callbacks';
import type { HostedFile } from './files';
import { type FetchedMedia, inRequestOrder } from './media';
import type { OrderKeys } from './orderKeys';
import { type ResolvedOptions, type SimulatorOptions, resolveOptions } from './options';
import type { Rule, TaskPlan } from './plans';
import { type RecordedRequest, leaksIn } from './requests';
import type { DirectAnswer } from './exchange';
import { type DirectRequest, HOST, answerDirectly, listen, serve, shut } from './server';
import { Service } from './service';
import type { NewTask, SimulatedTask } from './tasks';

/** A running simulator and the handles by which a test steers and watches it. */
export interface Simulator {
	/** What goes into the credential: with the path prefix, without a slash at the end. */
	readonly baseUrl: string;
	readonly origin: string;
	readonly port: number;
	readonly options: ResolvedOptions;
	/** Every request in order of arrival, refused ones included. */
	readonly requests: RecordedRequest[];
	/** Every attempt to deliver a callback, in order of completion. */
	readonly callbacks: DeliveredCallback[];
	/** Every frame and reference of an accepted create, in the order in which fetches ended. */
	readonly media: FetchedMedia[];
	readonly tasks: ReadonlyMap<string, SimulatedTask>;
	creates(): RecordedRequest[];
	reads(taskId?: string): RecordedRequest[];
	downloads(taskId?: string): RecordedRequest[];
	/** What has been fetched for one task so far: images, videos, audios, each in list order. */
	mediaOf(taskId: string): FetchedMedia[];
	/** Adds a fault to play; rules are tried in the order they were given. */
	script(rule: Rule): void;
	/** What becomes of `Idempotency-Key` now. */
	readonly orderKeys: OrderKeys;
	/** Changes what becomes of `Idempotency-Key` until the next reset. */
	takeOrderKeys(keys: OrderKeys): void;
	/** Plans a task to come. */
	planTask(plan: TaskPlan): void;
	/** Makes a task final now; a failed one has the error of its plan, if any. */
	finish(taskId: string, outcome?: FinalStatus): void;
	/**
	 * Posts any JSON to the callback URL of a task, or to a URL, and gives the status of the answer;
	 * it is written down like a true callback.
	 */
	forgeCallback(taskIdOrUrl: string, body: unknown): Promise<number>;
	/** Adds a task that no create made. */
	addTask(task?: NewTask): SimulatedTask;
	/**
	 * Answers a path, or a path with its query, with the file from now on, whatever the method and
	 * without a key. Gives its address. A second simulator is so a host of files of another origin.
	 */
	serve(path: string, file?: HostedFile): string;
	/** Answers a request without a connection; rejects where a client over HTTP gets no answer. */
	answer(request: DirectRequest, client: AbortSignal): Promise<DirectAnswer>;
	/** Every place where a request that needs no key carried one; good is none. */
	leaks(apiKey: string): string[];
	/** Calls back when a request has arrived, before it is answered; returns how to end this. */
	onRequest(listener: (request: RecordedRequest) => void): () => void;
	/** Calls back when a request was answered in full or its connection was dropped. */
	onRequestEnd(listener: (request: RecordedRequest) => void): () => void;
	/** Calls back when the fetch of a frame or reference is over; returns how to end this. */
	onMedia(listener: (media: FetchedMedia) => void): () => void;
	/** The first request, past or to come, that matches; by default waits 20 seconds at most. */
	waitForRequest(
		predicate: (request: RecordedRequest) => boolean,
		timeoutMs?: number,
	): Promise<RecordedRequest>;
	/** The first callback attempt, past or to come, that matches. */
	waitForCallback(
		predicate: (callback: DeliveredCallback) => boolean,
		timeoutMs?: number,
	): Promise<DeliveredCallback>;
	/** The fetch, past or to come, that is the `count`-th to end. */
	waitForMedia(count: number): Promise<FetchedMedia>;
	/** Forgets requests, tasks, plans, rules, files, callbacks and media; arrays stay the same. */
	reset(): void;
	/** Stops at once, open connections included; calling it again does nothing. */
	close(): Promise<void>;
}

/** Starts a simulator on this machine. Rejects with code EADDRINUSE when the port is taken. */
export async function startSimulator(given: SimulatorOptions = {}): Promise<Simulator> {
	const options = resolveOptions(given);
	const { server, port } = await listen(options.port);
	const origin = `http://${HOST}:${port}`;
	const baseUrl = origin + options.pathPrefix;
	const service = new Service(options, baseUrl);
	serve(server, service);
	const { tasks, log, callbacks } = service;
	const { fetched } = service.media;

	let closing: Promise<void> | undefined;

	return {
		baseUrl,
		origin,
		port,
		options,
		requests: log.entries,
		callbacks: callbacks.attempts.entries,
		media: fetched.entries,
		tasks: tasks.byId,
		creates: () => log.of('create'),
		reads: (taskId) => log.of('task', taskId),
		downloads: (taskId) => log.of('result', taskId),
		mediaOf: (taskId) => inRequestOrder(fetched.entries.filter((media) => media.taskId === taskId)),
		script: (rule) => service.rules.add(rule),
		get orderKeys() {
			return service.orders.keys;
		},
		takeOrderKeys: (keys) => void (service.orders.keys = keys),
		planTask: (plan) => service.plans.add(plan),
		finish: (taskId, outcome = 'completed') => {
			tasks.setStatus(taskId, outcome);
			callbacks.look();
		},
		forgeCallback: async (taskIdOrUrl, body) => {
			const task = tasks.byId.get(taskIdOrUrl);
			const url = task?.request?.callback_url ?? taskIdOrUrl;
			return await callbacks.forge({ ...(task && { taskId: task.id }), url, body });
		},
		addTask: (task = {}) => tasks.add(task),
		serve: (path, file = {}) => {
			service.files.set(path, file);
			return origin + path;
		},
		answer: (request, client) => answerDirectly(service, request, client),
		leaks: (apiKey) => log.entries.flatMap((request) => leaksIn(request, apiKey)),
		onRequest: (listener) => log.onChange((request, isNew) => isNew && listener(request)),
		onRequestEnd: (listener) => log.onChange((request) => request.ended && listener(request)),
		onMedia: (listener) => fetched.onChange(listener),
		waitForRequest: (predicate, timeoutMs) => log.waitFor(predicate, timeoutMs),
		waitForCallback: (predicate, timeoutMs) => callbacks.attempts.waitFor(predicate, timeoutMs),
		waitForMedia: (count) =>
			fetched.waitFor((media) => fetched.entries.indexOf(media) === count - 1),
		reset: () => service.forgetAll(),
		close: () => {
			service.dropPending();
			closing ??= shut(server);
			return closing;
		},
	};
}
