import type { IDataObject } from 'n8n-workflow';
import type { PlayedSettings } from './scenario';

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
	/** Whether it says that a task may exist. */
	isUnconfirmed: boolean;
	error?: PlayedError;
}

export class PlayedExecution {
	status: 'running' | 'success' | 'error' | 'canceled' | 'crashed' = 'running';

	/** Aborts when a person stops it. */
	readonly stop = new AbortController();

	/** Whether it began while another one was running, or the other way round. */
	hasOverlap = false;

	/** n8n's node context. */
	context: IDataObject = {};

	/** What n8n has saved of it. */
	saved: IDataObject = {};

	/** Runs still to come, with which a Retry begins. */
	queue: DueRun[] = [];

	/** The items that asked for a prompt and key, by both. */
	readonly asked = new Map<string, Set<string>>();

	/** The task that an item got, and what its prompt was then. */
	readonly outputs: Array<{ item: InputItem; id: string; now: string }> = [];

	/** The items of which it was reported that a task may exist. */
	readonly unconfirmed = new Set<string>();

	/**
	 * @param lineage The same for an execution and its Retries.
	 * @param settings How the fields stood when it began.
	 * @param worker The process in which it runs.
	 * @param epoch How often the process had crashed before.
	 * @param from The one that this is a Retry of.
	 */
	constructor(
		readonly id: string,
		readonly mode: 'retry' | 'manual' | 'webhook',
		readonly lineage: string,
		readonly settings: PlayedSettings,
		readonly worker: number,
		readonly epoch: number,
		readonly from?: PlayedExecution,
	) {}
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
