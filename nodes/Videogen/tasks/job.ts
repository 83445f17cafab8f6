import type { Answer, ServiceError } from '../service/answer';
import type { Task } from '../service/task';

/** How a task is waited for. */
export interface WaitPlan {
	/** The longest time between two reads while nothing is known of how far the task is. */
	intervalMs: number;
	/** Counted from the answer to its create; for an existing task, from when its job begins. */
	timeoutMs: number;
	/** Then the task is left as it is, at once or after one read; instead of at its timeout. */
	leaveAfterMs?: number;
}

/** A task that exists before its job begins. */
export interface ExistingTask {
	taskId: string;
	/** Whether this node made it, in an earlier try. */
	isOwn: boolean;
	/** Its record in that try, to be told when there is no newer one. */
	lastSeen?: Task;
}

/** One task to be had for one item. Without a `wait`, its first record is the result. */
export interface TaskJob {
	/** Sends the create; a job without it reads a task and makes none. */
	submit?: () => Promise<Answer>;
	/** Reads the task once, within this time; ends at once when the signal aborts. */
	read(taskId: string, signal: AbortSignal, atMostMs?: number): Promise<Answer>;
	existing?: ExistingTask;
	/** Whether an earlier try sent the create and got no answer. */
	mayExist?: boolean;
	/** The task of an earlier try that failed, in whose place the create makes another. */
	failed?: Task;
	wait?: WaitPlan;
	onEvent?(event: TaskEvent): void;
	/** What follows its outcome; the job has ended when this is done. */
	complete?(outcome: Outcome): Promise<void>;
}

/** What happens to a job on its way. */
export type TaskEvent =
	/** A create goes out: from now on a task may exist. */
	| { kind: 'submitted' }
	/** It certainly made no task. */
	| { kind: 'refused' }
	/** It may have made one whose id nobody knows. */
	| { kind: 'unanswered'; error: ServiceError }
	/** It made this one; told before anything else can go wrong. */
	| { kind: 'created'; task: Task }
	/** A read gave a newer record. */
	| { kind: 'updated'; task: Task };

/** The task of an outcome, as it was last seen. */
export const taskOf = (outcome?: Outcome): Task | undefined =>
	outcome && 'task' in outcome ? outcome.task : undefined;

/** What a task that is waited for has come to at the service; `undefined` while it is unfinished. */
export const finalOutcome = (task: Task): Outcome | undefined =>
	task.state === 'unfinished'
		? undefined
		: { kind: task.state === 'completed' ? 'done' : 'failed', task };

/** What a job came to; every job ends in exactly one of these. */
export type Outcome =
	/** The record that was asked for: completed, or the first one when nothing was waited for. */
	| { kind: 'done'; task: Task }
	/** The service reports that the task failed. */
	| { kind: 'failed'; task: Task }
	/** The time was up; `error` is what the last read ran into, if it ran into something. */
	| { kind: 'timedOut'; taskId: string; task?: Task; error?: ServiceError }
	/**
	 * There is no task record; `mayExist` when the service may have made a task all the same,
	 * `sinceEarlierTry` when that is so because of an earlier request.
	 */
	| { kind: 'notCreated'; error: ServiceError; mayExist: boolean; sinceEarlierTry?: boolean }
	/** The task exists, or is said to, but could not be read. */
	| { kind: 'notRead'; taskId: string; task?: Task; error: ServiceError }
	/** The run ended before a task was created for it. */
	| { kind: 'notStarted' }
	/** The run ended while the task was unfinished. */
	| { kind: 'stopped'; taskId: string; task?: Task };
