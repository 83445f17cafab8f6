import type { IDataObject } from 'n8n-workflow';
import type { InputItem, ItemEnd, Settings } from './executions';
import type { Job, Routine } from './scheduler';
import type { CreateAnswer, TaskRecord } from './service';

/** What the node is given for a run of its. */
export interface NodeRun {
	executionId: string;
	isManual: boolean;
	run: number;
	isTool: boolean;
	/** n8n's node context, which outlives a try, and comes back with a Retry. */
	context: IDataObject;
	settings: Settings;
	/** On Error is not "Stop Workflow". */
	continuesOnError: boolean;
	items: Array<Pick<InputItem, 'json'>>;
	isStopped(): boolean;
	promptOf(index: number): string;
	keyTextOf(index: number): string;
	create(
		index: number,
		sent: { prompt: string; key: string; keyText: string },
	): Routine<CreateAnswer>;
	read(taskId: string): TaskRecord;
	log(taskId: string): void;
	spawn(routine: Routine<void>): Job;
}

/** Runs the node in one process of n8n. */
export type NodeProcess = (run: NodeRun) => Routine<ItemEnd[]>;

/** A node as this world plays it: its decisions, without HTTP, time and n8n. */
export interface PlayedNode {
	/** A process of n8n, which knows nothing yet. */
	startProcess(): NodeProcess;
	/** A node context that this version of the node cannot read. */
	unreadableContext(): IDataObject;
	/** The orders in a saved node context; `undefined` when it cannot be read. */
	ordersIn(context: IDataObject): Array<{ state: string; taskId?: string }> | undefined;
}
