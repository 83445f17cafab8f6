import { randomInt } from 'node:crypto';
import { PROGRESS_PERCENT, modelOf } from '../../nodes/Videogen/contract/limits';
import type { GenerationRequest } from '../../nodes/Videogen/contract/request';
import type { TaskRecord, TaskStatus } from '../../nodes/Videogen/contract/task';
import { type TaskState, finalState, isFinal, stateAt } from './lifecycle';
import type { ResolvedOptions } from './options';
import type { TaskPlan } from './plans';
import { buildRecord } from './record';
import { assertResultPlan } from './resultPlan';

const ID_PREFIX = 'task_';
const ID_LENGTH = 24;
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_PATTERN = /^task_[a-z0-9]{24}$/;

/** The simulated service tells a malformed id (400) from an unknown one (404). */
export const isTaskId = (id: string): boolean => ID_PATTERN.test(id);

/** Random, so that a task remembered from an earlier simulator is unknown to the next one. */
export function newTaskId(): string {
	const letters = Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(36)]);
	return ID_PREFIX + letters.join('');
}

/** A task of the simulated service, as tests see it. */
export interface SimulatedTask {
	readonly id: string;
	readonly model: string;
	readonly prompt?: string;
	/** The accepted create; absent for a task that was added directly. */
	readonly request?: GenerationRequest;
	/** Milliseconds of the simulator's clock. */
	readonly createdAt: number;
	readonly plan: TaskPlan;
	status(): TaskStatus;
	progress(): number;
	/** The addresses that the completed task lists. */
	results(): string[];
	/** What a read of the task is answered at this moment. */
	record(): TaskRecord;
}

/** A task that exists without a create; everything may be left out. */
export interface NewTask extends Omit<TaskPlan, 'prompt' | 'times'> {
	id?: string;
	model?: string;
	prompt?: string;
	request?: GenerationRequest;
	createdAt?: number;
	/** Fixes the status instead of deriving it from the clock. */
	status?: TaskStatus;
	progress?: number;
}

/** Where a task stands that would be over by the clock but is held. */
const LAST_UNFINISHED: TaskState = { status: 'processing', progress: PROGRESS_PERCENT.max - 1 };

/** A state set by a test, which time no longer changes. */
interface SteeredState extends TaskState {
	error?: unknown;
}

interface TaskParts extends Pick<
	SimulatedTask,
	'id' | 'model' | 'prompt' | 'request' | 'createdAt' | 'plan'
> {
	options: ResolvedOptions;
	baseUrl: string;
}

class Task implements SimulatedTask {
	readonly id: string;
	readonly model: string;
	readonly prompt?: string;
	readonly request?: GenerationRequest;
	readonly createdAt: number;
	readonly plan: TaskPlan;
	private readonly options: ResolvedOptions;
	private readonly baseUrl: string;
	private steered?: SteeredState;
	private isHeld = false;

	constructor(parts: TaskParts) {
		this.id = parts.id;
		this.model = parts.model;
		this.prompt = parts.prompt;
		this.request = parts.request;
		this.createdAt = parts.createdAt;
		this.plan = parts.plan;
		this.options = parts.options;
		this.baseUrl = parts.baseUrl;
	}

	steer(state: SteeredState): void {
		this.steered = state;
	}

	/** Keeps the task from its end, whatever the clock says, until told otherwise. */
	hold(isHeld: boolean): void {
		this.isHeld = isHeld;
	}

	status(): TaskStatus {
		return this.state().status;
	}

	progress(): number {
		return this.state().progress;
	}

	results(): string[] {
		if (this.plan.results) return this.plan.results;
		const { resultCount, resultNames } = this.plan;
		const count = resultCount ?? resultNames?.length ?? this.options.resultCount;
		return Array.from({ length: count }, (_, index) => this.resultUrl(index));
	}

	record(): TaskRecord {
		return this.recordIn(this.state());
	}

	/** What the create is answered. */
	createRecord(): TaskRecord {
		return this.recordIn(this.state(true));
	}

	private state(isCreateReply = false): TaskState {
		if (this.steered) return this.steered;
		const elapsedMs = this.options.now() - this.createdAt;
		const state = stateAt(this.plan, this.durationMs(), elapsedMs, isCreateReply);
		return this.isHeld && isFinal(state.status) ? LAST_UNFINISHED : state;
	}

	private resultUrl(index: number): string {
		const name = this.plan.resultNames?.[index];
		const path = `${this.baseUrl}/results/${this.id}/${index + 1}`;
		return name === undefined ? `${path}.mp4` : `${path}/${name}`;
	}

	private durationMs(): number {
		return this.plan.durationMs ?? this.options.taskDurationMs;
	}

	private recordIn(state: TaskState): TaskRecord {
		return buildRecord({
			id: this.id,
			model: this.model,
			createdAtMs: this.createdAt,
			state,
			estimatedTime: this.plan.estimatedTime ?? Math.ceil(this.durationMs() / 1_000),
			results: this.results(),
			error: this.steered ? this.steered.error : this.plan.error,
			extraFields: this.options.extraFields,
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
		return this.put({ id: newTaskId(), model, prompt, request, createdAt: this.now(), plan });
	}

	/** Throws when the id could not be one of this service, since every read of it would be 400. */
	add(task: NewTask): Task {
		const { id = newTaskId(), createdAt = this.now(), request, status, progress, ...rest } = task;
		const { model = request?.model ?? this.defaultModel(), prompt, ...plan } = rest;
		if (!isTaskId(id)) throw new Error(`${id} is no task id: they look like ${newTaskId()}`);
		assertResultPlan(plan);
		const text = prompt ?? request?.prompt;
		const added = this.put({ id, model, prompt: text, request, createdAt, plan });
		if (status) this.setStatus(id, status, { progress });
		return added;
	}

	/** Throws for an unknown id: a test that steers a task which does not exist is mistaken. */
	get(id: string): Task {
		const task = this.byId.get(id);
		if (!task) throw new Error(`The simulator has no task ${id}`);
		return task;
	}

	setStatus(id: string, status: TaskStatus, more: { progress?: number; error?: unknown } = {}) {
		const task = this.get(id);
		const usual =
			status === 'completed' || status === 'failed'
				? finalState(status)
				: { status, progress: status === 'pending' ? PROGRESS_PERCENT.min : task.progress() };
		const progress = more.progress ?? usual.progress;
		task.steer({ status, progress, error: more.error ?? task.plan.error });
	}

	/** The task goes on, but does not end before it is released. */
	hold(id: string): void {
		this.get(id).hold(true);
	}

	release(id: string): void {
		this.get(id).hold(false);
	}

	unfinishedCount(): number {
		return [...this.byId.values()].filter((task) => !isFinal(task.status())).length;
	}

	private defaultModel(): string {
		return modelOf(this.options.modelFamily, 'text-to-video');
	}

	private now(): number {
		return this.options.now();
	}

	private put(parts: Omit<TaskParts, 'options' | 'baseUrl'>): Task {
		const task = new Task({ ...parts, options: this.options, baseUrl: this.baseUrl });
		this.byId.set(task.id, task);
		return task;
	}
}
