import type { Fault } from './faults';
import { promptMatches } from './plans';
import type { RecordedRequest, Route } from './requests';

/** Plays a fault on the requests it matches. */
export interface Rule {
	on: Exclude<Route, 'other'> | 'any';
	/** How many requests the fault is played on; default 1, `Infinity` for good. */
	times?: number;
	/** How many matching requests pass first. */
	skip?: number;
	/** Until which moment of the simulator's clock it is played; default for good. */
	untilMs?: number;
	taskId?: string;
	/** Results only: the one with this number, counted from 1. */
	resultNumber?: number;
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

interface RuleEntry {
	rule: Rule;
	skipLeft: number;
	timesLeft: number;
}

const matches = (
	{ on, untilMs = Infinity, taskId, resultNumber, prompt }: Rule,
	request: RecordedRequest,
): boolean =>
	request.at < untilMs &&
	(on === 'any' || on === request.route) &&
	(taskId === undefined || taskId === request.taskId) &&
	(resultNumber === undefined || resultNumber === request.resultNumber) &&
	promptMatches(prompt, request.prompt);

/** The rules in the order they were given; the first that matches is played. */
export class RuleBook {
	private entries: RuleEntry[] = [];

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
