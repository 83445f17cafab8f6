/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setMaxListeners } from 'node:events';
import { CallbackSender } from './callbacks';
import { CREATE_PATH, type GenerationRequest, TASKS_PATH } from './contract';
import { MediaFetcher } from './media';
import { KnownKeys } from './idempotencyKeys';
import type { Options } from './options';
import { type Rule, type TaskPlan, WaitingList, promptMatches } from './plans';
import { type Reply, bodyReply, errorReply, jsonReply } from './replies';
import { type RecordedRequest, RequestLog, type Route, decoded } from './requests';
import { sampleMp4 } from './sampleFiles';
import { SimulatedTask, isTaskId } from './tasks';
import { checkCreate } from './validation';

/** Paths are relative to the base address; their group is the task id. */
const PATH_RULES: Array<{ route: Route; method: string; pattern: RegExp }> = [
	{ route: 'create', method: 'POST', pattern: new RegExp(`^/${CREATE_PATH}$`) },
	{ route: 'task', method: 'GET', pattern: new RegExp(`^/${TASKS_PATH}/([^/]+)$`) },
	{ route: 'result', method: 'GET', pattern: /^\/results\/([^/]+)\/1\.mp4$/ },
];

/** Ends all that is under way at once; Node would warn of more than ten that listen. */
function newLifetime(): AbortController {
	const lifetime = new AbortController();
	setMaxListeners(0, lifetime.signal);
	return lifetime;
}

/**
 * A request is first held against the contract. Only one that passes can be faulted, so a
 * scripted fault never hides a request that a real service would have refused.
 */
type Admission = { refusal: Reply } | { answer: () => Reply };

/** All that one simulator knows, and how it answers. */
export class SimulatedService {
	readonly tasks = new Map<string, SimulatedTask>();
	readonly plans = new WaitingList<TaskPlan>();
	readonly rules = new WaitingList<Rule>();
	readonly log = new RequestLog();
	/** What a test put at a path. */
	readonly files = new Map<string, Reply>();
	readonly callbacks = new CallbackSender();
	readonly media: MediaFetcher;
	readonly keys = new KnownKeys();
	/** Aborted and replaced when everything under way is to be dropped. */
	private lifetime = newLifetime();

	constructor(
		readonly options: Options,
		private readonly baseUrl: string,
	) {
		this.media = new MediaFetcher(options);
	}

	/** Aborted when all that is under way now is dropped. */
	get signal(): AbortSignal {
		return this.lifetime.signal;
	}

	/** Drops callbacks, fetches and slow answers under way; what comes later starts afresh. */
	dropPending(): void {
		this.lifetime.abort();
		this.lifetime = newLifetime();
	}

	/** Forgets every task, plan, rule, file and recorded request. */
	forgetAll(): void {
		this.dropPending();
		const { tasks, plans, rules, log, files, callbacks, media, keys } = this;
		const { attempts } = callbacks;
		for (const one of [tasks, plans, rules, log, files, attempts, media.fetched, keys]) one.clear();
	}

	/** Paths are taken literally: a doubled or trailing slash leads nowhere. */
	targetOf(method: string, path: string): Pick<RecordedRequest, 'route' | 'taskId'> {
		if (this.fileAt(path)) return { route: 'file' };
		const { pathPrefix } = this.options;
		const pathname = path.split('?')[0] ?? '';
		const inside = pathname.startsWith(`${pathPrefix}/`) ? pathname.slice(pathPrefix.length) : '';
		for (const { route, pattern, ...rule } of PATH_RULES) {
			const found = pattern.exec(inside);
			if (!found || method !== rule.method) continue;
			return { route, taskId: found[1] && decoded(found[1]) };
		}
		return { route: 'other' };
	}

	/** Decides whether the contract lets the request pass, and how it is then answered. */
	admit(recorded: RecordedRequest): Admission {
		const { route, taskId = '' } = recorded;
		const file = this.fileAt(recorded.path);
		if (file) return { answer: () => file };
		if (route === 'result') return { answer: () => this.readResult(taskId) };
		const refusal = this.unauthorized(recorded);
		if (refusal) return { refusal };
		if (route === 'create') {
			const checked = checkCreate(recorded, this.options);
			if ('refusal' in checked) return checked;
			const known = this.keys.answerTo(recorded);
			return { answer: () => known ?? this.createTask(recorded, checked.request) };
		}
		if (route !== 'task') return { answer: () => errorReply(404) };
		if (recorded.bodyText === '') return { answer: () => this.readTask(taskId) };
		return { refusal: errorReply(400, { message: 'This request takes no body.' }) };
	}

	addTask(plan: TaskPlan, model: string, prompt?: string, request?: GenerationRequest) {
		const task = new SimulatedTask(this.options, this.baseUrl, plan, model, prompt, request);
		this.tasks.set(task.id, task);
		return task;
	}

	private fileAt(path: string): Reply | undefined {
		return this.files.get(path.split('?')[0] ?? '');
	}

	/** Section 5: the scheme and the key must match to the letter. */
	private unauthorized({ headers }: RecordedRequest): Reply | undefined {
		const isKnown = this.options.apiKeys.some((key) => headers.authorization === `Bearer ${key}`);
		return isKnown ? undefined : errorReply(401, {}, { 'www-authenticate': 'Bearer' });
	}

	private createTask(recorded: RecordedRequest, request: GenerationRequest): Reply {
		const { model, prompt } = request;
		// A plan for this prompt goes before those for any.
		const plan =
			this.plans.take((one) => one.prompt !== undefined && promptMatches(one.prompt, prompt)) ??
			this.plans.take((one) => one.prompt === undefined);
		const task = this.addTask(plan ?? {}, model, prompt, request);
		recorded.taskId = task.id;
		const record = task.record({ isCreateReply: true });
		// Both end with an error when everything under way is dropped.
		this.media.follow(task, this.signal).catch(() => undefined);
		this.callbacks.follow(task, this.signal).catch(() => undefined);
		return jsonReply(200, record);
	}

	private readTask(id: string): Reply {
		const task = this.tasks.get(id);
		if (!task && !isTaskId(id)) {
			const message = 'task_id: must be task_ and 24 lowercase letters or digits';
			return errorReply(400, { code: 'invalid_task_id', param: 'task_id', message });
		}
		const hiddenForMs = task?.plan.notFoundForMs ?? 0;
		if (!task || this.options.now() - task.createdAt < hiddenForMs) {
			return errorReply(404, { code: 'task_not_found', message: `There is no task ${id}.` });
		}
		return jsonReply(200, task.record());
	}

	/** The file of a completed task; otherwise 404. */
	private readResult(taskId: string): Reply {
		const task = this.tasks.get(taskId);
		if (task?.status() !== 'completed') return errorReply(404);
		const { resultBody = sampleMp4() } = task.plan;
		return bodyReply(200, { 'content-type': 'video/mp4' }, resultBody);
	}
}
