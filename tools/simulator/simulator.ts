import { LOOPBACK } from '../n8n/ports';
import { type FinalStatus, modelOf } from './contract';
import type { IdempotencyKeys } from './idempotencyKeys';
import { DEFAULTS, type SimulatorOptions } from './options';
import { FAILED_TASKS, REFUSED_CREATES, type Rule, type TaskPlan } from './plans';
import { bodyReply } from './replies';
import { type DirectRequest, answerDirectly, listen, serve, shut } from './server';
import { SimulatedService } from './service';
import type { SimulatedTask } from './tasks';

interface HostedFile {
	body: string | Buffer;
	contentType?: string;
}

/** A running simulator and the handles by which a test steers and watches it. */
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts a simulator on this machine. Rejects with code EADDRINUSE when the port is taken. */
export async function startSimulator(given: SimulatorOptions = {}) {
	const options = { ...DEFAULTS, ...given };
	const { server, port } = await listen(options.port);
	const origin = `http://${LOOPBACK}:${port}`;
	const baseUrl = origin + options.pathPrefix;
	const service = new SimulatedService(options, baseUrl);
	serve(server, service);
	const { log, callbacks, tasks } = service;
	const { fetched } = service.media;

	const taskNamed = (taskId: string): SimulatedTask => {
		const task = tasks.get(taskId);
		if (!task) throw new Error(`The simulator has no task ${taskId}`);
		return task;
	};

	return {
		/** What goes into the credential: with the path prefix, without a slash at the end. */
		baseUrl,
		origin,
		port,
		options,
		/** Every request in order of arrival, refused ones included. */
		requests: log.entries,
		/** Every attempt to deliver a callback, in order of completion. */
		callbacks: callbacks.attempts.entries,
		/** Every frame and reference of an accepted create, in the order in which fetches ended. */
		media: fetched.entries,
		tasks,
		creates: () => log.of('create'),
		reads: (taskId?: string) => log.of('task', taskId),
		downloads: () => log.of('result'),
		/** What has been fetched for one task so far: images, videos, audios, each in list order. */
		mediaOf: (taskId: string) => fetched.entries.filter((media) => media.taskId === taskId),
		/** Adds a fault to play; rules are tried in the order they were given. */
		script: (rule: Rule) => service.rules.add(rule),
		/** What becomes of `Idempotency-Key` now. */
		get idempotencyKeys() {
			return service.keys.mode;
		},
		/** Changes what becomes of `Idempotency-Key` until the next reset. */
		takeIdempotencyKeys: (mode: IdempotencyKeys) => void (service.keys.mode = mode),
		/** Plans a task to come. */
		planTask: (plan: TaskPlan) => service.plans.add(plan),
		/** The words `[refused]` and `[failed]` in a prompt play what they do in practice. */
		playWords: () => {
			service.plans.add(FAILED_TASKS);
			service.rules.add(REFUSED_CREATES);
		},
		/** Makes a task final now; a failed one has the error of its plan, if any. */
		finish: (taskId: string, outcome: FinalStatus = 'completed') =>
			taskNamed(taskId).finish(outcome),
		/**
		 * Posts any JSON to the callback URL of a task, and gives the status of the answer; it is
		 * written down like a true callback.
		 */
		forgeCallback: async (taskId: string, body: unknown) =>
			(await callbacks.post(taskNamed(taskId), body, service.signal)).status,
		/** Adds a task that no create made. */
		addTask: (plan: TaskPlan = {}) =>
			service.addTask(plan, modelOf(options.modelFamily, 'text-to-video')),
		/**
		 * Answers a path with the file from now on, whatever the method and the query, and without a key.
		 * Gives its address. A second simulator is so a host of files of another origin.
		 */
		serve: (path: string, { body, contentType = 'application/octet-stream' }: HostedFile) => {
			service.files.set(path, bodyReply(200, { 'content-type': contentType }, body));
			return origin + path;
		},
		/** Answers a request without a connection; rejects where a client over HTTP gets no answer. */
		answer: async (request: DirectRequest, client: AbortSignal) =>
			await answerDirectly(service, request, client),
		/** Calls back when a request has arrived, before it is answered; returns how to end this. */
		onRequest: log.onAdd,
		/** The first request, past or to come, that matches. */
		waitForRequest: log.waitFor,
		/** The first callback attempt, past or to come, that matches. */
		waitForCallback: callbacks.attempts.waitFor,
		/** The fetch, past or to come, that is the `count`-th to end. */
		waitForMedia: async (count: number) =>
			await fetched.waitFor((media) => fetched.entries.indexOf(media) === count - 1),
		/** Forgets requests, tasks, plans, rules, files, callbacks and media; arrays stay the same. */
		reset: () => service.forgetAll(),
		/** Stops at once, open connections included. */
		close: async () => {
			service.dropPending();
			await shut(server);
		},
	};
}
