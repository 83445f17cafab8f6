import type { IDataObject } from 'n8n-workflow';

/** The fields of the node, as the person has filled them in. */
export interface PlayedSettings {
	promptKind: 'json' | 'fixed' | 'now';
	/** With `{{p}}` of the item and `{{now}}`, which differs at each try. */
	promptField: string;
	/** Counts the edits of the prompt. */
	version: number;
	/** `idempotencyKey`, with `{{k}}` of the item and `{{exec}}`; empty for none. */
	keyField: string;
	keyEdits: number;
	callback: string;
	/** `resendAfterNoReply` */
	mayResend: boolean;
	/** `reuseInEditor` */
	mayReuse: boolean;
	onError: 'stop' | 'continue' | 'errorOutput';
	/** 1 without Retry On Fail. */
	tries: number;
	maxNewTasks: number;
	maxConcurrentTasks: number;
	/** In reads. */
	timeout: number;
}

/** The error of the node on an item, as far as this world looks at it. */
export type PlayedError = { kind: string; orderId?: string; taskId?: string };

/** An input item; the person knows it by its id through all runs and retries. */
export interface InputItem {
	id: string;
	json: { p: string; k: string; tries?: number; error?: PlayedError };
	/** How often the loop has reworded it. */
	wording: number;
	/** The prompts that it gave, at each try. */
	prompts: string[];
}

/** A run of the node that is due: its items, and its number in the execution. */
export interface DueRun {
	run: number;
	items: InputItem[];
}

/** What the node gives for one item. */
export interface ItemEnd {
	item: InputItem;
	/** Of its order, whatever came of the item. */
	taskId?: string;
	/** Whether a task of it may exist whose id nobody knows. */
	isUnconfirmed: boolean;
	error?: PlayedError;
}

export interface PlayedExecution {
	id: string;
	mode: 'retry' | 'manual' | 'webhook';
	/** The one that this is a Retry of. */
	from?: PlayedExecution;
	/** The same for an execution and its Retries. */
	lineage: string;
	/** How the fields stood when it began. */
	settings: PlayedSettings;
	status: 'running' | 'success' | 'error' | 'canceled' | 'crashed';
	/** The process in which it runs. */
	worker: number;
	/** Aborts when a person stops it. */
	stop: AbortController;
	/** Whether it began while another one was running, or the other way round. */
	hasOverlap: boolean;
	/** n8n's node context. */
	context: IDataObject;
	/** What n8n has saved of it. */
	saved: IDataObject;
	/** Runs still to come, and those with which a Retry begins. */
	queue: DueRun[];
	position: DueRun[];
	/** How often the process had crashed before. */
	epoch: number;
	/** The items that asked for a prompt and key, by both. */
	asked: Map<string, Set<string>>;
	/** The task that an item got, and what its prompt was then. */
	outputs: Array<{ item: InputItem; id: string; now: string }>;
	/** What was reported: task ids, and the items whose task may exist. */
	errors: Array<{ ids: string[]; unsure: string[] }>;
}

/** The first one in a line of Retries. */
export const rootOf = (execution: PlayedExecution): PlayedExecution =>
	execution.from ? rootOf(execution.from) : execution;

/** Whether the first of them was a click in the editor. */
export const isEditor = (execution: PlayedExecution): boolean =>
	rootOf(execution).mode === 'manual';

/** An item whose task was found to have ended without a video, or whose content was refused. */
export interface FoundEnd {
	execution: PlayedExecution;
	item: InputItem;
	kind: string;
	taskId?: string;
	/** How many creates the service had got by then. */
	afterRequests: number;
}

export const wishOf = (prompt: string, keyText: string): string => `${prompt}|${keyText}`;
