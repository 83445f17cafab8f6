import { randomInt } from 'node:crypto';
import type { FinalStatus, GenerationRequest, TaskRecord, TaskStatus } from './contract';
import type { Options } from './options';
import type { TaskPlan } from './plans';

const ID_LENGTH = 24;
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_PATTERN = /^task_[a-z0-9]{24}$/;
/** The first tenth of a task's time it waits in line. */
const PENDING_SHARE = 0.1;

/** The simulated service tells a malformed id (400) from an unknown one (404). */
export const isTaskId = (id: string): boolean => ID_PATTERN.test(id);

/** Random, so that a task remembered from an earlier simulator is unknown to the next one. */
function newTaskId(): string {
	const letters = Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(36)]);
	return `task_${letters.join('')}`;
}

/** Progress in percent, a whole number. */
type TaskState = Pick<TaskRecord, 'status' | 'progress'>;

export const isFinal = (status: TaskStatus): status is FinalStatus =>
	status !== 'pending' && status !== 'processing';

/** Failed tasks stop where they are, short of the end. */
const finalState = (status: FinalStatus): TaskState => ({
	status,
	progress: status === 'completed' ? 100 : 50,
});

/** Progress stays below the maximum until the task is final. */
const runningState = (share: number): TaskState =>
	share < PENDING_SHARE
		? { status: 'pending', progress: 0 }
		: { status: 'processing', progress: Math.min(Math.floor(share * 100), 99) };

/** One task; its state is computed rather than stepped, so that a test's clock gives exact answers. */
export class SimulatedTask {
	readonly id = newTaskId();
	/** Milliseconds of the simulator's clock. */
	readonly createdAt: number;
	/** Set by a test; time no longer changes it. */
	private steered?: TaskState;
	/** In place of what was planned. */
	private failure: unknown;

	constructor(
		private readonly options: Options,
		private readonly baseUrl: string,
		readonly plan: TaskPlan,
		readonly model: string,
		readonly prompt?: string,
		/** The accepted create; absent for a task that was added directly. */
		readonly request?: GenerationRequest,
	) {
		this.createdAt = options.now();
	}

	steer(status: TaskStatus): void {
		this.steered = isFinal(status) ? finalState(status) : { status, progress: 0 };
	}

	/** Ends it, with what its record is to say. */
	fail(error: unknown): void {
		this.failure = error;
		this.steer('failed');
	}

	status(): TaskStatus {
		return this.state().status;
	}

	/** The addresses that the completed task lists. */
	results(): string[] {
		return this.plan.results ?? [`${this.baseUrl}/results/${encodeURIComponent(this.id)}/1.mp4`];
	}

	/** What a read of the task is answered at this moment. */
	record(): TaskRecord {
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
		const { outcome = 'completed', immediate } = this.plan;
		const end = finalState(outcome === 'never' ? 'completed' : outcome);
		if (immediate) return end;
		const durationMs = this.durationMs();
		const elapsedMs = this.options.now() - this.createdAt;
		if (elapsedMs >= durationMs && !isCreateReply && outcome !== 'never') return end;
		return runningState(durationMs > 0 ? elapsedMs / durationMs : 0);
	}

	private durationMs(): number {
		return this.plan.durationMs ?? this.options.taskDurationMs;
	}

	/** The last fields are what services of this kind send beyond the contract. */
	private recordIn({ status, progress }: TaskState): TaskRecord {
		const results = this.results();
		const error = this.failure ?? this.plan.error;
		const record = {
			id: this.id,
			object: 'video.generation.task',
			model: this.model,
			status,
			progress,
			...(status === 'completed' && { results }),
			...(status === 'failed' && error !== undefined && { error }),
			task_info: {
				can_cancel: status === 'pending',
				estimated_time: Math.ceil(this.durationMs() / 1_000),
			},
			created: Math.floor(this.createdAt / 1_000),
			type: 'video',
			usage: { billing_rule: 'per_second', credits_reserved: 25, user_group: 'default' },
			...(status === 'completed' && { result_data: results.map((url) => ({ url })) }),
		};
		return record;
	}
}
