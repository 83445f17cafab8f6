import type { GenerationRequest } from '../../nodes/Videogen/contract/request';
import { CallbackSender } from './callbacks';
import { MediaFetcher } from './media';
import type { ResolvedOptions } from './options';
import { PlanQueue } from './plans';
import { RateLimits } from './rateLimits';
import { type Reply, errorReply, jsonReply } from './replies';
import { type RecordedRequest, RequestLog } from './requests';
import { resultReply } from './results';
import type { Target } from './routes';
import { RuleBook } from './rules';
import { TaskStore, isTaskId } from './tasks';
import { checkCreate } from './validation';

/** Everything one simulator knows. */
export interface Service {
	options: ResolvedOptions;
	tasks: TaskStore;
	plans: PlanQueue;
	rules: RuleBook;
	limits: RateLimits;
	log: RequestLog;
	callbacks: CallbackSender;
	media: MediaFetcher;
	/** Aborted and replaced when everything under way is to be dropped. */
	lifetime: AbortController;
}

export function createService(options: ResolvedOptions, baseUrl: string): Service {
	const tasks = new TaskStore(options, baseUrl);
	return {
		options,
		tasks,
		plans: new PlanQueue(),
		rules: new RuleBook(),
		limits: new RateLimits(options, tasks),
		log: new RequestLog(),
		callbacks: new CallbackSender(options),
		media: new MediaFetcher(options, tasks),
		lifetime: new AbortController(),
	};
}

/** Drops deliveries, fetches and slow answers under way; what comes later starts afresh. */
export function dropPending(service: Service): void {
	service.callbacks.stop();
	service.media.stop();
	service.lifetime.abort();
	service.lifetime = new AbortController();
}

/** Forgets every task, plan, rule and recorded request. */
export function forgetAll(service: Service): void {
	dropPending(service);
	service.tasks.byId.clear();
	service.plans.clear();
	service.rules.clear();
	service.limits.clear();
	service.log.clear();
	service.callbacks.attempts.clear();
	service.media.fetched.clear();
}

/**
 * A request is first held against the contract. Only one that passes can be faulted, so a
 * scripted fault never hides a request that a real service would have refused.
 */
export type Admission = { refusal: Reply } | { answer: () => Reply };

/** Section 5: the scheme and the key must match to the letter. */
function unauthorized({ options }: Service, { headers }: RecordedRequest): Reply | undefined {
	const isKnown = options.apiKeys.some((key) => headers.authorization === `Bearer ${key}`);
	return isKnown ? undefined : errorReply(401, {}, { 'www-authenticate': 'Bearer' });
}

function createTask(
	service: Service,
	recorded: RecordedRequest,
	request: GenerationRequest,
): Reply {
	const limited = service.limits.refusal();
	if (limited) return limited;
	service.limits.countAccepted();
	const task = service.tasks.create(request, service.plans.take(request.prompt));
	recorded.taskId = task.id;
	service.media.follow(task);
	const record = task.createRecord();
	service.callbacks.watch(task, record.status);
	return jsonReply(200, record);
}

function readTask({ tasks, options }: Service, id: string): Reply {
	if (!isTaskId(id)) {
		const message = 'task_id: must be task_ and 24 lowercase letters or digits';
		return errorReply(400, { code: 'invalid_task_id', param: 'task_id', message });
	}
	const task = tasks.byId.get(id);
	const hiddenForMs = task?.plan.notFoundForMs ?? 0;
	if (!task || options.now() - task.createdAt < hiddenForMs) {
		return errorReply(404, { code: 'task_not_found', message: `There is no task ${id}.` });
	}
	return jsonReply(200, task.record());
}

function admitCreate(service: Service, recorded: RecordedRequest): Admission {
	const checked = checkCreate(recorded, service.options);
	if ('refusal' in checked) return checked;
	return { answer: () => createTask(service, recorded, checked.request) };
}

function admitRead(service: Service, recorded: RecordedRequest, id: string): Admission {
	if (recorded.bodyText !== '') {
		return { refusal: errorReply(400, { message: 'This request takes no body.' }) };
	}
	return { answer: () => readTask(service, id) };
}

function admitOther({ allow }: Target): Admission {
	if (allow === undefined) return { answer: () => errorReply(404) };
	return { refusal: errorReply(405, {}, { allow }) };
}

/** Decides whether the contract lets the request pass, and how it is then answered. */
export function admit(service: Service, recorded: RecordedRequest, target: Target): Admission {
	const { route, taskId = '' } = target;
	if (route === 'result') {
		const task = service.tasks.byId.get(taskId);
		return { answer: () => resultReply(task, target, recorded.headers) };
	}
	const refusal = unauthorized(service, recorded);
	if (refusal) return { refusal };
	if (route === 'create') return admitCreate(service, recorded);
	return route === 'task' ? admitRead(service, recorded, taskId) : admitOther(target);
}
