import type { Answer, Trouble } from '../service/answer';
import type { Task } from '../service/task';

/** The part of the service that waiting needs. */
export interface TaskService<Request> {
	create(request: Request): Promise<Answer>;
	/** Gives up after `atMostMs`, or earlier by a limit of its own. */
	read(taskId: string, atMostMs?: number): Promise<Answer>;
}

/** Where a job begins. */
export type Start<Request> =
	/** `mayExist` when an earlier try sent the same and got no answer. */
	| { kind: 'create'; request: Request; mayExist?: boolean }
	| { kind: 'read'; taskId: string }
	/** An earlier try made this task; only if it failed is the request, if there is one, sent again. */
	| { kind: 'resume'; taskId: string; request?: Request; lastSeen?: Task };

/** How a task is waited for. */
export interface WaitPlan {
	intervalMs: number;
	/** Counted from the task's own submission; for an existing one, from when its job begins. */
	timeoutMs: number;
}

/** One task to be had. Without a `wait`, its first record is the result. */
export interface Job<Request> {
	start: Start<Request>;
	wait?: WaitPlan;
}

/** What a job came to; every job ends in exactly one of these. */
export type Outcome =
	/** The record that was asked for: completed, or the first one when nothing was waited for. */
	| { kind: 'done'; task: Task }
	/** The service reports that the task failed. */
	| { kind: 'failed'; task: Task }
	/** The time was up; `trouble` is what the last read ran into, if it ran into something. */
	| { kind: 'timedOut'; taskId: string; task?: Task; trouble?: Trouble }
	/**
	 * There is no task record; `mayExist` when the service may have made a task all the same,
	 * `sinceEarlierTry` when that is so because of an earlier request.
	 */
	| { kind: 'notCreated'; trouble: Trouble; mayExist: boolean; sinceEarlierTry?: boolean }
	/** The task exists, or is said to, but could not be read. */
	| { kind: 'notRead'; taskId: string; task?: Task; trouble: Trouble }
	/** The run ended before anything was sent for it. */
	| { kind: 'notStarted' }
	/** The run ended while the task was unfinished. */
	| { kind: 'left'; taskId: string; task?: Task };
