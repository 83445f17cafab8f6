import type { FinalStatus } from './contract';
import type { Fault } from './faults';
import type { RecordedRequest, Route } from './requests';

/** How a task will go; what is left out follows the simulator's options. */
export interface TaskPlan {
	/** Keeps the plan for a create with this prompt (text: exactly this one). */
	prompt?: string | RegExp;
	/** How many tasks follow this plan; default 1. */
	times?: number;
	durationMs?: number;
	/** `never` keeps the task unfinished for good; default `completed`. */
	outcome?: FinalStatus | 'never';
	/** What a failed task carries as `error`; left out, the record has no `error` at all. */
	error?: unknown;
	/** Result URLs in place of the simulator's own. */
	results?: string[];
	/** What each result is, in place of the video. */
	resultBody?: string | Buffer;
	/** The reply to the create is already final. */
	immediate?: boolean;
	/** For this long after the create, reads are answered 404. */
	notFoundForMs?: number;
	/** Whether its callback is never sent. */
	loseCallback?: boolean;
}

/** For people who try things out: tasks that go as practice lets them, by words in the prompt. */
export const FAILED_TASKS: TaskPlan = {
	prompt: /\[failed\]/i,
	times: Infinity,
	outcome: 'failed',
	error: { code: 'generation_failed', message: 'The video could not be made.' },
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
	 * Faults that alter the normal reply always create it, since there is no such reply without a task.
	 */
	createTask?: boolean;
	fault: Fault;
}

/** For words in a prompt, too: creates that are answered with a no. */
export const REFUSED_CREATES: Rule = {
	on: 'create',
	times: Infinity,
	prompt: /\[refused\]/i,
	fault: {
		kind: 'status',
		status: 400,
		body: { error: { code: 'content_policy_violation', message: 'This prompt is not allowed.' } },
	},
};

/** True when `wanted` is not set, equals the prompt, or is a pattern that finds something in it. */
export function promptMatches(wanted: string | RegExp | undefined, prompt?: string): boolean {
	if (wanted === undefined) return true;
	if (prompt === undefined) return false;
	return typeof wanted === 'string' ? wanted === prompt : prompt.search(wanted) >= 0;
}

export const ruleMatches = (
	{ on, untilMs = Infinity, prompt }: Rule,
	request: RecordedRequest,
): boolean =>
	request.at < untilMs &&
	(on === 'any' || on === request.route) &&
	promptMatches(prompt, request.prompt);

/** Plans and rules wait here for what is to come, in the order in which they were given. */
export class WaitingList<Entry extends { times?: number; skip?: number }> {
	private waiting: Array<{ entry: Entry; skipLeft: number; timesLeft: number }> = [];

	add(entry: Entry): void {
		this.waiting.push({ entry, skipLeft: entry.skip ?? 0, timesLeft: entry.times ?? 1 });
	}

	/** The first that fits; what an entry skips is offered to the next. */
	take(fits: (entry: Entry) => boolean): Entry | undefined {
		for (const one of this.waiting.filter(({ entry }) => fits(entry))) {
			if (one.skipLeft > 0) {
				one.skipLeft -= 1;
			} else {
				one.timesLeft -= 1;
				this.waiting = this.waiting.filter(({ timesLeft }) => timesLeft > 0);
				return one.entry;
			}
		}
		return undefined;
	}

	clear(): void {
		this.waiting = [];
	}
}
