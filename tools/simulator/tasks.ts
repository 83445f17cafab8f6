import { randomBytes } from 'node:crypto';
import type { FinalStatus, GenerationRequest, TaskRecord, TaskStatus } from './contract';
import type { Options } from './options';
import type { TaskPlan } from './plans';

const ID_PATTERN = /^task_[a-z0-9]{24}$/;
/** The first tenth of a task's time it waits in line. */
const PENDING_SHARE = 0.1;

/** The simulated service tells a malformed id (400) from an unknown one (404). */
export const isTaskId = (id: string): boolean => ID_PATTERN.test(id);

/** Random, so that a task remembered from an earlier simulator is unknown to the next one. */
const newTaskId = (): string => `task_${randomBytes(12).toString('hex')}`;

export const isFinal = (status: TaskStatus): boolean =>
	status !== 'pending' && status !== 'processing';

/** Progress stays below the maximum until the task is final. */
const runningState = (share: number) =>
	share < PENDING_SHARE
		? { status: 'pending' as const, progress: 0 }
		: { status: 'processing' as const, progress: Math.min(Math.floor(share * 100), 99) };

/** One task; its state is computed rather than stepped, so that a test's clock gives exact answers. */
export class SimulatedTask {
	readonly id = newTaskId();
	/** Milliseconds of the simulator's clock. */
	readonly createdAt: number;
	/** Set by a test; time no longer changes it. */
	private ended?: { status: FinalStatus; error: unknown };

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

	/** Ends it now, with what its record is to say if it failed. */
	finish(status: FinalStatus, error = this.plan.error): void {
		this.ended = { status, error };
	}

	status(): TaskStatus {
		return this.record().status;
	}

	/** The addresses that the completed task lists. */
	results(): string[] {
		return this.plan.results ?? [`${this.baseUrl}/results/${encodeURIComponent(this.id)}/1.mp4`];
	}

	/**
	 * What a read of the task is answered at this moment, or its create. The last fields are what
	 * services of this kind send beyond the contract.
	 */
	record({ isCreateReply = false } = {}): TaskRecord {
		const { status, progress } = this.state(isCreateReply);
		const results = this.results();
		const { error } = this.ended ?? this.plan;
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

	/**
	 * The reply to the create is not final even when the duration is 0, because a service only looks
	 * at the task after it accepted it; a plan with `immediate` says otherwise.
	 */
	private state(isCreateReply: boolean): Pick<TaskRecord, 'status' | 'progress'> {
		const { outcome = 'completed', immediate } = this.plan;
		const durationMs = this.durationMs();
		const elapsedMs = this.options.now() - this.createdAt;
		const isOver = immediate || (elapsedMs >= durationMs && !isCreateReply);
		const status = this.ended?.status ?? (isOver ? outcome : 'never');
		if (status === 'never') return runningState(durationMs > 0 ? elapsedMs / durationMs : 0);
		// Failed tasks stop where they are, short of the end.
		return { status, progress: status === 'completed' ? 100 : 50 };
	}

	private durationMs(): number {
		return this.plan.durationMs ?? this.options.taskDurationMs;
	}
}
