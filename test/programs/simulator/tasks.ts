import { randomInt } from 'node:crypto';
import { type GenerationRequest, modelOf } from './contract';
import { assertResultSize } from './files';
import type { ResolvedOptions } from './options';
import type { TaskPlan } from './plans';
import type { FinalStatus, TaskRecord, TaskStatus } from './taskRecord';
import { PROGRESS_PERCENT, taskRecordSchema } from './taskRecord';

const ID_PREFIX = 'task_';
const ID_LENGTH = 24;
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_PATTERN = /^task_[a-z0-9]{24}$/;
/** Section 2.2: the label a task record carries. */
const OBJECT_LABEL = 'video.generation.task';
/** The first tenth of a task's time it waits in line. */
const PENDING_SHARE = 0.1;
/** The simulated service tells a malformed id (400) from an unknown one (404). */
export const isTaskId = (id: string): boolean => ID_PATTERN.test(id);

/** Random, so that a task remembered from an earlier simulator is unknown to the next one. */
function newTaskId(): string {
	const letters = Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(36)]);
	return ID_PREFIX + letters.join('');
}

const idIn = ({ id = newTaskId() }: TaskPlan): string => id;

/** What is known of a task from its beginning. */
interface TaskFacts {
	readonly id: string;
	readonly model: string;
	readonly prompt?: string;
	/** The accepted create; absent for a task that was added directly. */
	readonly request?: GenerationRequest;
	/** Milliseconds of the simulator's clock. */
	readonly createdAt: number;
	readonly plan: TaskPlan;
}

/** A task of the simulated service, as tests see it. */
export interface SimulatedTask extends TaskFacts {
	status(): TaskStatus;
	/** The addresses that the completed task lists. */
	results(): string[];
	/** What a read of the task is answered at this moment. */
	record(): TaskRecord;
}

/** A task that exists without a create; everything may be left out. */
export interface NewTask extends Omit<TaskPlan, 'prompt' | 'times'> {
	prompt?: string;
	/** Fixes the status instead of deriving it from the clock. */
	status?: TaskStatus;
}

interface TaskState {
	status: TaskStatus;
	/** Percent, a whole number. */
	progress?: number;
}

export const isFinal = (status: TaskStatus): status is FinalStatus =>
	status !== 'pending' && status !== 'processing';

/** A final state; failed tasks stop where they are, short of the end. */
const finalState = (status: FinalStatus): TaskState => ({
	status,
	progress: status === 'completed' ? PROGRESS_PERCENT.max : PROGRESS_PERCENT.max / 2,
});

const WAITING: TaskState = { status: 'pending', progress: PROGRESS_PERCENT.min };

/** Progress stays below the maximum until the task is final. */
function runningState(share: number): TaskState {
	if (share < PENDING_SHARE) return WAITING;
	const percent = Math.min(Math.floor(share * PROGRESS_PERCENT.max), PROGRESS_PERCENT.max - 1);
	return { status: 'processing', progress: percent };
}

/** What services of this kind send beyond the contract; clients must put up with it. */
const extrasOf = ({ createdAt }: TaskFacts, status: TaskStatus, results: string[]) => ({
	created: Math.floor(createdAt / 1_000),
	type: 'video',
	usage: { billing_rule: 'per_second', credits_reserved: 25, user_group: 'default' },
	...(status === 'completed' && { result_data: results.map((url) => ({ url })) }),
});

/** One task; its state is computed rather than stepped, so that a test's clock gives exact answers. */
class Task implements SimulatedTask {
	readonly id: string;
	readonly model: string;
	readonly prompt?: string;
	readonly request?: GenerationRequest;
	readonly createdAt: number;
	readonly plan: TaskPlan;
	/** Set by a test; time no longer changes it. */
	private steered?: TaskState;
	private readCount = 0;
	/** In place of what was planned. */
	private failure: unknown;

	constructor(
		facts: TaskFacts,
		private readonly options: ResolvedOptions,
		private readonly baseUrl: string,
	) {
		({
			id: this.id,
			model: this.model,
			prompt: this.prompt,
			request: this.request,
			createdAt: this.createdAt,
			plan: this.plan,
		} = facts);
	}

	steer(state: TaskState): void {
		this.steered = state;
	}

	/** Ends it, with what its record is to say. */
	fail(error: unknown): void {
		this.failure = error;
		this.steer(finalState('failed'));
	}

	status(): TaskStatus {
		return this.state().status;
	}

	progress(): number | undefined {
		return this.state().progress;
	}

	results(): string[] {
		return this.plan.results ?? [`${this.baseUrl}/results/${encodeURIComponent(this.id)}/1.mp4`];
	}

	record(): TaskRecord {
		return this.recordIn(this.state());
	}

	/** What a read is answered, which counts as one. */
	readRecord(): TaskRecord {
		this.readCount += 1;
		return this.recordIn(this.state());
	}

	/** What the create is answered. */
	createRecord(): TaskRecord {
		return this.recordIn(this.state({ isCreateReply: true }));
	}

	/**
	 * The reply to the create is not final even when the duration is 0, because a service only looks
	 * at the task after it accepted it; a plan with `immediate` says otherwise.
	 */
	private state({ isCreateReply = false } = {}): TaskState {
		if (this.steered) return this.steered;
		const { plan } = this;
		const { outcome: ending = 'completed' } = plan;
		const outcome = finalState(ending === 'never' ? 'completed' : ending);
		if (plan.immediate) return outcome;
		if (plan.finalAfterReads !== undefined) {
			return this.readCount >= plan.finalAfterReads ? outcome : runningState(0.5);
		}
		const elapsedMs = this.options.now() - this.createdAt;
		const isDue = elapsedMs >= this.durationMs() && !isCreateReply;
		if (isDue && plan.outcome !== 'never') return outcome;
		return runningState(this.durationMs() > 0 ? elapsedMs / this.durationMs() : 0);
	}

	private durationMs(): number {
		return this.plan.durationMs ?? this.options.taskDurationMs;
	}

	/**
	 * The task record (service-spec.md, section 2.2). It is checked against the contract before
	 * anyone sees it: a simulator that breaks the contract would make every test on it worthless.
	 */
	private recordIn({ status, progress }: TaskState): TaskRecord {
		const { id, model, plan } = this;
		const results = this.results();
		const error = this.failure ?? plan.error;
		return taskRecordSchema.parse({
			id,
			object: OBJECT_LABEL,
			model,
			status,
			...(progress !== undefined && { progress }),
			...(status === 'completed' && { results }),
			...(status === 'failed' && error !== undefined && { error }),
			task_info: {
				can_cancel: status === 'pending',
				estimated_time: Math.ceil(this.durationMs() / 1_000),
			},
			...extrasOf(this, status, results),
		});
	}
}

/** Every task the simulated service knows. */
export class TaskStore {
	readonly byId = new Map<string, Task>();

	constructor(
		private readonly options: ResolvedOptions,
		private readonly baseUrl: string,
	) {}

	/** The task of an accepted create. */
	create(request: GenerationRequest, plan: TaskPlan): Task {
		const { model, prompt } = request;
		return this.put({ id: idIn(plan), model, prompt, request, createdAt: this.now(), plan });
	}

	add({ prompt, status, ...plan }: NewTask): Task {
		const model = modelOf(this.options.modelFamily, 'text-to-video');
		const task = this.put({ id: idIn(plan), model, prompt, createdAt: this.now(), plan });
		if (status) this.setStatus(task.id, status);
		return task;
	}

	/** Throws for an unknown id: a test that steers a task which does not exist is mistaken. */
	get(id: string): Task {
		const task = this.byId.get(id);
		if (!task) throw new Error(`The simulator has no task ${id}`);
		return task;
	}

	setStatus(id: string, status: TaskStatus): void {
		const task = this.get(id);
		const usual = isFinal(status)
			? finalState(status)
			: { progress: status === 'pending' ? PROGRESS_PERCENT.min : task.progress() };
		task.steer({ status, progress: usual.progress });
	}

	unfinishedCount(): number {
		return [...this.byId.values()].filter((task) => !isFinal(task.status())).length;
	}

	private now(): number {
		return this.options.now();
	}

	private put(facts: TaskFacts): Task {
		assertResultSize(facts.plan);
		const task = new Task(facts, this.options, this.baseUrl);
		this.byId.set(task.id, task);
		return task;
	}
}
