import type { Fault } from './faults';
import type { RecordedRequest, Route } from './requests';
import type { FinalStatus } from './taskRecord';

/** What becomes of a task's callbacks; each of them arrives once unless told. */
export interface CallbackPlan {
	/** None is sent; it is written down as not delivered. */
	lost?: boolean;
	/** Each is sent twice, at the same time. */
	doubled?: boolean;
}

/** How a task will go; what is left out follows the simulator's options. */
export interface TaskPlan {
	/** Keeps the plan for a create with this prompt (text: exactly this one). */
	prompt?: string | RegExp;
	/** How many tasks follow this plan; default 1. */
	times?: number;
	durationMs?: number;
	/** In place of the simulator's own kind of id. */
	id?: string;
	/** `never` keeps the task unfinished for good; default `completed`. */
	outcome?: FinalStatus | 'never';
	/** What a failed task carries as `error`; left out, the record has no `error` at all. */
	error?: unknown;
	/** Result URLs in place of the simulator's own. */
	results?: string[];
	/** Size of each video; it is padded up to that, without being held in memory. */
	resultBytes?: number;
	/** Content type of each result; default `video/mp4`. */
	resultType?: string;
	/** What each result is, in place of the video; held in memory. */
	resultBody?: string | Buffer;
	/** The reply to the create is already final. */
	immediate?: boolean;
	/** The task ends with this many-th read, whatever the clock says. */
	finalAfterReads?: number;
	/** For this long after the create, reads are answered 404. */
	notFoundForMs?: number;
	callback?: CallbackPlan;
}

/** For people who try things out: a prompt that contains [failed] makes a task that fails. */
export const FAILING_PROMPTS: TaskPlan = {
	prompt: /\[failed\]/i,
	times: Infinity,
	outcome: 'failed',
	error: {
		code: 'content_policy_violation',
		message: 'The prompt was refused by the content filter.',
	},
};

/** Plays a fault on the requests it matches. */
export interface Rule {
	on: Exclude<Route, 'other'> | 'any';
	/** How many requests the fault is played on; default 1, `Infinity` for good. */
	times?: number;
	/** How many matching requests pass first. */
	skip?: number;
	/** Until which moment of the simulator's clock it is played; default for good. */
	untilMs?: number;
	/** Prompt of the create, or of the task that is read. Text must be equal. */
	prompt?: string | RegExp;
	/**
	 * Creates only: whether the task comes into being although the client gets the fault.
	 * Faults that alter the normal reply (`AlteringFault`) always create it, since there is no such
	 * reply without a task.
	 */
	createTask?: boolean;
	fault: Fault;
}

/** True when `wanted` is not set, equals the prompt, or is a pattern that finds something in it. */
function promptMatches(wanted: string | RegExp | undefined, prompt: string | undefined): boolean {
	if (wanted === undefined) return true;
	if (prompt === undefined) return false;
	return typeof wanted === 'string' ? wanted === prompt : prompt.search(wanted) >= 0;
}

/** Plans wait here for the tasks to come, first in, first out. */
export class PlanQueue {
	private entries: Array<{ plan: TaskPlan; timesLeft: number }> = [];

	add(plan: TaskPlan): void {
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

const matches = ({ on, untilMs = Infinity, prompt }: Rule, request: RecordedRequest): boolean =>
	request.at < untilMs &&
	(on === 'any' || on === request.route) &&
	promptMatches(prompt, request.prompt);

/** The rules in the order they were given; the first that matches is played. */
export class RuleBook {
	private entries: Array<{ rule: Rule; skipLeft: number; timesLeft: number }> = [];

	add(rule: Rule): void {
		this.entries.push({ rule, skipLeft: rule.skip ?? 0, timesLeft: rule.times ?? 1 });
	}

	/** The rule to play on this request; requests that a rule skips are offered to the next. */
	take(request: RecordedRequest): Rule | undefined {
		for (const entry of this.entries.filter(({ rule }) => matches(rule, request))) {
			if (entry.skipLeft > 0) {
				entry.skipLeft -= 1;
			} else {
				entry.timesLeft -= 1;
				this.entries = this.entries.filter(({ timesLeft }) => timesLeft > 0);
				return entry.rule;
			}
		}
		return undefined;
	}

	clear(): void {
		this.entries = [];
	}
}
