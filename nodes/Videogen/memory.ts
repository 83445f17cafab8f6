import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from './client/json';
import type { Task } from './client/task';
import type { PlannedRequest } from './input/plannedRequest';
import type { Outcome, Start } from './waiting/job';

/** What is remembered of one item's request. */
const entrySchema = z.union([
	z.object({ taskId: z.string(), failed: z.boolean() }),
	/** It was sent and never answered: a task may exist whose id nobody knows. */
	z.object({ unanswered: z.literal(true) }),
]);
type Entry = z.infer<typeof entrySchema>;

/** Under this name everything is kept in n8n's node context. */
const CONTEXT_KEY = 'videogenTasks';

/** A place in an execution that n8n keeps between the tries of a node, and with a failed run. */
export interface MemoryScope {
	/** n8n's own object; what is put in is saved with the execution. */
	context: IDataObject;
	/** Which run of the node this is; loops run it many times. */
	runIndex: number;
	/** The service's address: another service has other tasks. */
	baseUrl: string;
}

/**
 * Which task belongs to which item of this run, so that a retry reads the task that exists
 * instead of paying for another. An entry is found again only for the same run, the same item and
 * the very same request.
 */
export class TaskMemory {
	private entries: IDataObject;

	constructor(private readonly scope: MemoryScope) {
		const kept = scope.context[CONTEXT_KEY];
		this.entries = isJsonObject(kept) ? kept : {};
		scope.context[CONTEXT_KEY] = this.entries;
	}

	/** Where an item's job begins; `unanswered` when only the user may say that it is sent again. */
	startFor(itemIndex: number, request: PlannedRequest): Start<PlannedRequest> | 'unanswered' {
		const entry = this.entryOf(itemIndex, request);
		if (entry === undefined) return { kind: 'create', request };
		if ('unanswered' in entry) return 'unanswered';
		return entry.failed
			? { kind: 'create', request }
			: { kind: 'resume', taskId: entry.taskId, request };
	}

	/** The task of an item in an earlier try. */
	taskIdOf(itemIndex: number, request: PlannedRequest): string | undefined {
		const entry = this.entryOf(itemIndex, request);
		return entry && 'taskId' in entry ? entry.taskId : undefined;
	}

	keepTask(itemIndex: number, request: PlannedRequest, task: Task): void {
		this.keep(itemIndex, request, { taskId: task.id, failed: task.state === 'failed' });
	}

	/** Takes down what a job's end says about its task. */
	keepOutcome(itemIndex: number, request: PlannedRequest, outcome: Outcome): void {
		if (outcome.kind === 'done' || outcome.kind === 'failed') {
			this.keepTask(itemIndex, request, outcome.task);
		} else if (outcome.kind === 'notCreated' && outcome.mayExist) {
			this.keep(itemIndex, request, { unanswered: true });
		}
	}

	/** Forgets this run; a node that succeeded has nothing to resume. */
	forgetRun(): void {
		const prefix = `${this.scope.runIndex}:`;
		this.entries = Object.fromEntries(
			Object.entries(this.entries).filter(([key]) => !key.startsWith(prefix)),
		);
		this.scope.context[CONTEXT_KEY] = this.entries;
	}

	private entryOf(itemIndex: number, request: PlannedRequest): Entry | undefined {
		return entrySchema.safeParse(this.entries[this.keyOf(itemIndex, request)]).data;
	}

	private keep(itemIndex: number, request: PlannedRequest, entry: Entry): void {
		this.entries[this.keyOf(itemIndex, request)] = entry;
	}

	private keyOf(itemIndex: number, request: PlannedRequest): string {
		const fingerprint = createHash('sha256')
			.update(JSON.stringify([this.scope.baseUrl, request.body]))
			.digest('base64url');
		return `${this.scope.runIndex}:${itemIndex}:${fingerprint}`;
	}
}
