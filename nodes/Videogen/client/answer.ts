import type { Task } from './task';

/** A whole HTTP answer, body still as text; what any transport has to give. */
export interface HttpAnswer {
	statusCode: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	body: string;
}

/** Why a 2xx answer could not be used. */
export type UnreadableReason = 'empty' | 'html' | 'notJson' | 'notTask';

/** How the connection ended without an answer. */
export type NetworkReason = 'refused' | 'unknownHost' | 'tls' | 'timeout' | 'lost' | 'blocked';

/** The service answered with something other than success. */
export interface StatusTrouble {
	kind: 'status';
	status: number;
	/** What the service itself says about it, when it says anything. */
	serviceMessage?: string;
	/** From `Retry-After`, counted from the moment of the answer. */
	retryAfterMs?: number;
	/** Where a 3xx answer points to. */
	location?: string;
}

/** The service answered 2xx, but not with a task record. */
export interface UnreadableTrouble {
	kind: 'unreadable';
	reason: UnreadableReason;
	/** The beginning of the body, so that an id in an unexpected place is not lost. */
	excerpt: string;
}

/** There was no whole answer. */
export interface NetworkTrouble {
	kind: 'network';
	reason: NetworkReason;
}

export type Trouble = StatusTrouble | UnreadableTrouble | NetworkTrouble;

/** What a call of the service came to. */
export type Answer = { kind: 'task'; task: Task } | { kind: 'trouble'; trouble: Trouble };
