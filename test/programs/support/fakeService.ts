import type {
	Answer,
	NetworkReason,
	Service,
	ServiceError,
	StatusError,
	UnreadableReason,
} from '../../../nodes/Videogen/service/answer';
import type { GenerationRequest } from '../../../nodes/Videogen/service/contract/request';
import type { Task } from '../../../nodes/Videogen/service/task';
import type { VirtualClock } from './clocks';
import { taskOf } from './orders';

export const status = (code: number, retryAfterMs?: number): StatusError => ({
	kind: 'status',
	status: code,
	isJson: true,
	retryAfterMs,
});

export const network = (reason: NetworkReason): ServiceError => ({ kind: 'network', reason });

export const unreadable = (reason: UnreadableReason): ServiceError => ({
	kind: 'unreadable',
	reason,
	excerpt: '',
});

/** A task that is read every second for six hours is read less often. */
const MAX_CALLS = 25_000;

/** The client's own limit for a read. */
const READ_LIMIT_MS = 30_000;

/** A request as the service got it. */
export interface Call {
	kind: 'create' | 'read';
	atMs: number;
	/** Prompt of the create, or of the task that is read. */
	request: string;
	/** What a create sent, and under which key. */
	body?: GenerationRequest;
	orderKey?: string;
	/** The task read, or the one that the create made. */
	taskId?: string;
	/** Counted from 1: among all calls of its kind, and among those of its kind and request. */
	nth: number;
	nthOfRequest: number;
}

export interface FakeTask {
	id: string;
	request: string;
	createdMs: number;
	finalMs: number;
	ending: 'completed' | 'failed';
}

export interface FakeServiceOptions {
	/** From the create to the final status; by request when it is a function. */
	durationMs?: number | ((request: string) => number);
	ending?: (request: string) => FakeTask['ending'];
	/** How long every answer takes. */
	latencyMs?: number;
	/** Which reads are never answered, so that only the reader's own limit ends them. */
	hangs?: (call: Call) => boolean;
	/** What a call runs into instead of a task record. */
	error?: (call: Call) => ServiceError | undefined;
	/** More than these are refused with 429. */
	maxUnfinished?: number;
	/** What that 429 asks for with Retry-After. */
	askedWhenFull?: number;
	/** What a record says of how far the task is, from the share of its time that has passed. */
	percent?: (share: number) => number | undefined;
	/** How long after its end a completed task has its results. */
	resultsAfterMs?: number;
	/** What an answer with a record has in place of what the task has. */
	record?: (call: Call) => { status?: string; results?: string[]; error?: object } | undefined;
	/** Whether the answer to a create is marked as one that is played again. */
	isReplay?: (call: Call) => boolean;
}

/** An error that only calls of this kind run into. */
const only =
	(wanted: Call['kind']) =>
	(error: (call: Call) => ServiceError | undefined): FakeServiceOptions['error'] =>
	(call) =>
		call.kind === wanted ? error(call) : undefined;
export const onReads = only('read');
export const onCreates = only('create');

export const timesOf = (calls: Call[]): number[] => calls.map(({ atMs }) => atMs);

/** The times between one call and the next. */
export const gapsOf = (calls: Call[]): number[] =>
	calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0));

/** The service as the work sees it, in virtual time and without HTTP. */
export class FakeService implements Service {
	readonly calls: Call[] = [];
	readonly tasks: FakeTask[] = [];
	private readonly counts = new Map<string, number>();
	private isEndless = false;
	/** The most tasks that were unfinished at the moment of an accepted create. */
	mostUnfinished = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly options: FakeServiceOptions = {},
	) {}

	get creates(): Call[] {
		return this.calls.filter(({ kind }) => kind === 'create');
	}

	get reads(): Call[] {
		return this.calls.filter(({ kind }) => kind === 'read');
	}

	/** A task that the run under test did not create. */
	add(request: string, more: Partial<FakeTask> = {}): FakeTask {
		const createdMs = this.clock.now();
		const { durationMs = 12_000, ending } = this.options;
		const task: FakeTask = {
			id: `task-${this.tasks.length + 1}`,
			request,
			createdMs,
			finalMs: createdMs + (typeof durationMs === 'number' ? durationMs : durationMs(request)),
			ending: ending?.(request) ?? 'completed',
			...more,
		};
		this.tasks.push(task);
		return task;
	}

	tasksOf(request: string): FakeTask[] {
		return this.tasks.filter((task) => task.request === request);
	}

	async create(body: GenerationRequest, orderKey: string): Promise<Answer> {
		const { error: errorOf, isReplay } = this.options;
		const call = Object.assign(this.noted('create', body.prompt), { body, orderKey });
		const error = errorOf?.(call) ?? this.refusal();
		const task = error ? undefined : this.add(body.prompt);
		call.taskId = task?.id;
		this.mostUnfinished = Math.max(this.mostUnfinished, this.unfinished());
		const answer = await this.answer(call, error, task);
		return answer.kind === 'task' ? { ...answer, isReplay: isReplay?.(call) } : answer;
	}

	async read(taskId: string, signal?: AbortSignal, atMostMs = Infinity): Promise<Answer> {
		const task = this.tasks.find(({ id }) => id === taskId);
		const call = this.noted('read', task?.request ?? taskId, taskId);
		if (this.options.hangs?.(call)) {
			await this.clock.sleep(Math.min(READ_LIMIT_MS, atMostMs), signal);
			return { kind: 'error', error: network('timeout') };
		}
		return await this.answer(call, this.options.error?.(call), task, signal);
	}

	private unfinished(): number {
		return this.tasks.filter(({ finalMs }) => finalMs > this.clock.now()).length;
	}

	private refusal(): ServiceError | undefined {
		const { maxUnfinished = Infinity, askedWhenFull } = this.options;
		return this.unfinished() < maxUnfinished ? undefined : status(429, askedWhenFull);
	}

	private noted(kind: Call['kind'], request: string, taskId?: string): Call {
		const call: Call = {
			kind,
			atMs: this.clock.now(),
			request,
			taskId,
			nth: this.count(kind),
			nthOfRequest: this.count(`${kind} ${request}`),
		};
		this.calls.push(call);
		this.isEndless ||= call.nthOfRequest > MAX_CALLS;
		if (this.isEndless) throw new Error(`"${request}" is asked for without end`);
		return call;
	}

	private count(what: string): number {
		const count = (this.counts.get(what) ?? 0) + 1;
		this.counts.set(what, count);
		return count;
	}

	/** What the service says is true when it gets the request, not when the answer arrives. */
	private async answer(
		call: Call,
		error: ServiceError | undefined,
		task: FakeTask | undefined,
		signal?: AbortSignal,
	): Promise<Answer> {
		const answer: Answer = error
			? { kind: 'error', error }
			: task
				? { kind: 'task', task: this.stateOf(task, call) }
				: { kind: 'error', error: status(404) };
		const { latencyMs = 0 } = this.options;
		if (latencyMs > 0) await this.clock.sleep(latencyMs, signal);
		return answer;
	}

	private stateOf({ id, createdMs, finalMs, ending }: FakeTask, call: Call): Task {
		const now = this.clock.now();
		const { percent, resultsAfterMs = 0 } = this.options;
		const progress = percent?.((now - createdMs) / (finalMs - createdMs));
		const hasResults = ending === 'completed' && now >= finalMs + resultsAfterMs;
		const { status: word, ...more } = this.options.record?.(call) ?? {};
		return taskOf(id, word ?? (now < finalMs ? 'processing' : ending), {
			...(hasResults && { results: [`https://files.test/${id}.mp4`] }),
			...(progress !== undefined && { progress }),
			...more,
		});
	}
}
