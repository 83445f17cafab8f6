import { CREATE_PATH, type GenerationRequest, TASKS_PATH } from './contract';
import { CallbackSender } from './callbacks';
import { type HostedFile, hostedReply, resultReply } from './files';
import { newLifetime } from './lifetime';
import { MediaFetcher } from './media';
import type { ResolvedOptions } from './options';
import { KnownOrders } from './orderKeys';
import { PlanQueue, RuleBook } from './plans';
import { type Reply, errorReply, jsonReply } from './replies';
import { type RecordedRequest, RequestLog, type Route } from './requests';
import { TaskStore, isTaskId } from './tasks';
import { checkCreate } from './validation';

const RATE_WINDOW_MS = 1_000;

/** Where a request is headed. */
export interface Target {
	route: Route;
	/** As in the path; it need not be well-formed. */
	taskId?: string;
	/** The method that the path does take, when it is not this one. */
	allow?: string;
}

interface PathRule {
	route: Route;
	method: string;
	/** Relative to the base address; its group is the task id. */
	pattern: RegExp;
}

const PATH_RULES: PathRule[] = [
	{ route: 'create', method: 'POST', pattern: new RegExp(`^/${CREATE_PATH}$`) },
	{ route: 'task', method: 'GET', pattern: new RegExp(`^/${TASKS_PATH}/([^/]+)$`) },
	{ route: 'result', method: 'GET', pattern: /^\/results\/([^/]+)\/1\.mp4$/ },
];

const decoded = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/**
 * A request is first held against the contract. Only one that passes can be faulted, so a
 * scripted fault never hides a request that a real service would have refused.
 */
type Admission = { refusal: Reply } | { answer: () => Reply };

/** All that one simulator knows, and how it answers. */
export class Service {
	readonly tasks: TaskStore;
	readonly plans = new PlanQueue();
	readonly rules = new RuleBook();
	readonly log = new RequestLog();
	/** By path, or by path and query. */
	readonly files = new Map<string, HostedFile>();
	readonly callbacks: CallbackSender;
	readonly media: MediaFetcher;
	readonly orders: KnownOrders;
	/** Aborted and replaced when everything under way is to be dropped. */
	lifetime = newLifetime();
	/** When the creates of the last second were accepted. */
	private accepted: number[] = [];

	constructor(
		readonly options: ResolvedOptions,
		baseUrl: string,
	) {
		this.tasks = new TaskStore(options, baseUrl);
		this.callbacks = new CallbackSender(options);
		this.media = new MediaFetcher(options);
		this.orders = new KnownOrders(options.orderKeys);
	}

	/** Drops callbacks, fetches and slow answers under way; what comes later starts afresh. */
	dropPending(): void {
		this.callbacks.stop();
		this.media.stop();
		this.lifetime.abort();
		this.lifetime = newLifetime();
	}

	/** Forgets every task, plan, rule, file and recorded request. */
	forgetAll(): void {
		this.dropPending();
		const { tasks, plans, rules, log, files, callbacks, media } = this;
		for (const list of [tasks.byId, plans, rules, log, files, callbacks.attempts, media.fetched]) {
			list.clear();
		}
		this.accepted = [];
		this.orders.clear();
		this.orders.keys = this.options.orderKeys;
	}

	/** Paths are taken literally: a doubled or trailing slash leads nowhere. */
	targetOf(method: string, path: string): Target {
		if (this.fileAt(path)) return { route: 'file' };
		const { pathPrefix } = this.options;
		const pathname = path.split('?')[0] ?? '';
		const inside = pathname.startsWith(`${pathPrefix}/`) ? pathname.slice(pathPrefix.length) : '';
		for (const { route, method: allow, pattern } of PATH_RULES) {
			const found = pattern.exec(inside);
			if (!found) continue;
			if (method !== allow) return { route: 'other', allow };
			return { route, taskId: found[1] && decoded(found[1]) };
		}
		return { route: 'other' };
	}

	/** Decides whether the contract lets the request pass, and how it is then answered. */
	admit(recorded: RecordedRequest, target: Target): Admission {
		const { route, taskId = '' } = target;
		const file = this.fileAt(recorded.path);
		if (file) return { answer: () => hostedReply(file) };
		if (route === 'result') return { answer: () => this.readResult(taskId) };
		const refusal = this.unauthorized(recorded);
		if (refusal) return { refusal };
		if (route === 'create') {
			const checked = checkCreate(recorded, this.options.modelFamily);
			if ('refusal' in checked) return checked;
			const known = this.orders.answerTo(recorded);
			return { answer: () => known ?? this.createTask(recorded, checked.request) };
		}
		if (target.allow) return { refusal: errorReply(405, {}, { allow: target.allow }) };
		if (route !== 'task') return { answer: () => errorReply(404) };
		if (recorded.bodyText === '') return { answer: () => this.readTask(taskId) };
		return { refusal: errorReply(400, { message: 'This request takes no body.' }) };
	}

	private fileAt(path: string): HostedFile | undefined {
		return this.files.get(path) ?? this.files.get(path.split('?')[0] ?? '');
	}

	/** Section 5: the scheme and the key must match to the letter. */
	private unauthorized({ headers }: RecordedRequest): Reply | undefined {
		const isKnown = this.options.apiKeys.some((key) => headers.authorization === `Bearer ${key}`);
		return isKnown ? undefined : errorReply(401, {}, { 'www-authenticate': 'Bearer' });
	}

	/**
	 * The two limits that services of this kind have. Both answer 429; unless told, only the one on
	 * requests says when to come back, as nobody knows when a running task will end.
	 */
	private limited(): Reply | undefined {
		const { maxUnfinishedTasks, createsPerSecond, now } = this.options;
		// Counting looks at every task, so it is left out where there is no limit.
		if (maxUnfinishedTasks < Infinity && this.tasks.unfinishedCount() >= maxUnfinishedTasks) {
			const message = `At most ${maxUnfinishedTasks} tasks may run at once.`;
			const { unfinishedRetryAfterSeconds: seconds } = this.options;
			const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) };
			return errorReply(429, { code: 'too_many_tasks', message }, headers);
		}
		this.accepted = this.accepted.filter((at) => at > now() - RATE_WINDOW_MS);
		if (this.accepted.length < createsPerSecond) return undefined;
		return errorReply(429, {}, { 'retry-after': String(RATE_WINDOW_MS / 1_000) });
	}

	private createTask(recorded: RecordedRequest, request: GenerationRequest): Reply {
		const limited = this.limited();
		if (limited) return limited;
		if (this.options.createsPerSecond < Infinity) this.accepted.push(this.options.now());
		const task = this.tasks.create(request, this.plans.take(request.prompt));
		recorded.taskId = task.id;
		this.media.follow(task);
		const record = task.createRecord();
		this.callbacks.watch(task);
		return jsonReply(200, record);
	}

	private readTask(id: string): Reply {
		const task = this.tasks.byId.get(id);
		if (!task && !isTaskId(id)) {
			const message = 'task_id: must be task_ and 24 lowercase letters or digits';
			return errorReply(400, { code: 'invalid_task_id', param: 'task_id', message });
		}
		const hiddenForMs = task?.plan.notFoundForMs ?? 0;
		if (!task || this.options.now() - task.createdAt < hiddenForMs) {
			return errorReply(404, { code: 'task_not_found', message: `There is no task ${id}.` });
		}
		return jsonReply(200, task.readRecord());
	}

	/** The file of a completed task; otherwise 404. */
	private readResult(taskId: string): Reply {
		const task = this.tasks.byId.get(taskId);
		return task?.status() === 'completed'
			? resultReply(task.plan)
			: errorReply(404, { message: 'There is no such result.' });
	}
}
