import type { TaskStatus } from '../../nodes/Videogen/contract/task';
import { assertResultPlan } from './resultPlan';

export interface PlannedStatus {
	/** Milliseconds since the task was created. */
	afterMs: number;
	status: TaskStatus;
	progress: number;
}

/** How a task will go; what is left out follows the simulator's options. */
export interface TaskPlan {
	/** Keeps the plan for a create with this prompt (text: exactly this one). */
	prompt?: string | RegExp;
	/** How many tasks follow this plan; default 1. */
	times?: number;
	durationMs?: number;
	/** `never` keeps the task unfinished for good; default `completed`. */
	outcome?: 'completed' | 'failed' | 'never';
	/** What a failed task carries as `error`; left out, the record has no `error` at all. */
	error?: unknown;
	/** Result addresses in place of the simulator's own. */
	results?: string[];
	resultCount?: number;
	/** Size of each video; it is padded up to that, without being held in memory. */
	resultBytes?: number;
	/**
	 * What the results are called, percent-encoded for a path: number n is then found at
	 * `/results/<task id>/<n>/<name>`. Without `resultCount`, there are as many results as names.
	 */
	resultNames?: string[];
	/** Content type of each result; default `video/mp4`. */
	resultType?: string;
	/** What each result is, in place of the video; held in memory. */
	resultBody?: string | Buffer;
	/** The reply to the create is already final. */
	immediate?: boolean;
	/**
	 * What the task reports and from when on, in order of time. The first final status stays. A
	 * list without one is followed by `outcome` once `durationMs` and the last entry have passed.
	 */
	statuses?: PlannedStatus[];
	/** For this long after the create, reads are answered 404. */
	notFoundForMs?: number;
	/** `task_info.estimated_time`, in seconds. */
	estimatedTime?: number;
}

/** True when `wanted` is not set, equals the prompt, or is a pattern that finds something in it. */
export function promptMatches(
	wanted: string | RegExp | undefined,
	prompt: string | undefined,
): boolean {
	if (wanted === undefined) return true;
	if (prompt === undefined) return false;
	return typeof wanted === 'string' ? wanted === prompt : prompt.search(wanted) >= 0;
}

/** Plans wait here for the tasks to come, first in, first out. */
export class PlanQueue {
	private entries: Array<{ plan: TaskPlan; timesLeft: number }> = [];

	add(plan: TaskPlan): void {
		assertResultPlan(plan);
		this.entries.push({ plan, timesLeft: plan.times ?? 1 });
	}

	/** The plan for a new task: the first that names its prompt, otherwise the first without one. */
	take(prompt: string): TaskPlan {
		const entry =
			this.entries.find(({ plan }) => plan.prompt && promptMatches(plan.prompt, prompt)) ??
			this.entries.find(({ plan }) => plan.prompt === undefined);
		if (entry === undefined) return {};
		entry.timesLeft -= 1;
		this.entries = this.entries.filter(({ timesLeft }) => timesLeft > 0);
		return entry.plan;
	}

	clear(): void {
		this.entries = [];
	}
}
