import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../common/json';
import type { Task } from '../service/task';
import { asTask } from '../service/task';
import type { PlannedRequest } from '../parameters/plannedRequest';
import type { Start } from './job';

/** What is remembered of one item's request. */
const entrySchema = z.union([
	z.object({
		taskId: z.string(),
		failed: z.boolean(),
		status: z.string().optional(),
		/** The record as it last was; left out when it is huge. */
		record: z.unknown(),
	}),
	/** It was sent and not answered yet: a task may exist whose id nobody knows. */
	z.object({ unanswered: z.literal(true) }),
]);
type Entry = z.infer<typeof entrySchema>;

/** Under this name everything is kept in n8n's node context. */
const CONTEXT_KEY = 'videogenTasks';

/** Larger records are not kept: they would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** By n8n's object: what lasts no longer than the calls themselves must not be saved with it. */
const KEYS_IN_USE = new WeakMap<IDataObject, Set<string>>();

/** A place in an execution that n8n keeps between the tries of a node, and with a failed run. */
export interface MemoryScope {
	/** n8n's own object; what is put in is saved with the execution. */
	context: IDataObject;
	/**
	 * Which run of the node this is: loops run it many times. As a tool of an agent, all its calls
	 * share one scope, because n8n counts the tries of one call as runs.
	 */
	run: number | 'tool';
	/** The service's address: another service has other tasks. */
	baseUrl: string;
}

/** A task of this run, with the item that it was made for. */
export interface RememberedTask {
	itemIndex: number;
	taskId: string;
	status?: string;
}

/**
 * Which task belongs to which item of this run, so that a retry reads the task that exists
 * instead of paying for another. An entry is found again for the same run and the same item, if
 * the identity of the request is the same (see `requestIdentity`).
 */
export class TaskMemory {
	/** The object in n8n's context itself, which calls of a tool share; only changed in place. */
	private readonly entries: IDataObject;

	/** Which entry an item of this try goes by. */
	private readonly keyByItem = new Map<number, string>();

	/** Items whose create was sent in an earlier try and never answered. */
	private readonly unansweredBefore = new Set<number>();

	/** Entries that calls under way go by, this one's among them. */
	private readonly inUse: Set<string>;

	constructor(private readonly scope: MemoryScope) {
		const kept = scope.context[CONTEXT_KEY];
		this.entries = isJsonObject(kept) ? kept : {};
		scope.context[CONTEXT_KEY] = this.entries;
		this.inUse = KEYS_IN_USE.get(scope.context) ?? new Set();
		KEYS_IN_USE.set(scope.context, this.inUse);
	}

	/** Where an item's job begins; `unanswered` when only the user may say that it is sent again. */
	startFor(
		itemIndex: number,
		request: PlannedRequest,
		identity: unknown,
	): Start<PlannedRequest> | 'unanswered' {
		const key = this.findKey(itemIndex, identity);
		this.keyByItem.set(itemIndex, key);
		this.inUse.add(key);
		const entry = this.entryAt(key);
		if (entry === undefined) return { kind: 'create', request };
		if ('unanswered' in entry) {
			this.unansweredBefore.add(itemIndex);
			return 'unanswered';
		}
		if (entry.failed) return { kind: 'create', request };
		return { kind: 'resume', taskId: entry.taskId, request, lastSeen: asTask(entry.record) };
	}

	/** To be told before a create goes out: from then on a task may exist. */
	keepSent(itemIndex: number): void {
		this.keep(itemIndex, { unanswered: true });
	}

	/** The create made no task; one that was sent before it may have made one all the same. */
	keepRefused(itemIndex: number): void {
		if (this.unansweredBefore.has(itemIndex)) return;
		Reflect.deleteProperty(this.entries, this.keyOf(itemIndex));
	}

	keepTask(itemIndex: number, { id, status, state, record }: Task): void {
		this.keep(itemIndex, {
			taskId: id,
			failed: state === 'failed',
			status,
			record: JSON.stringify(record).length <= MAX_RECORD_CHARACTERS ? record : undefined,
		});
	}

	/** The task that an item of this try goes by. */
	taskOf(itemIndex: number): RememberedTask | undefined {
		const key = this.keyByItem.get(itemIndex);
		return key === undefined ? undefined : rememberedTask(itemIndex, this.entryAt(key));
	}

	/** Whether an item's create was sent and not answered. */
	isUnanswered(itemIndex: number): boolean {
		const key = this.keyByItem.get(itemIndex);
		const entry = key === undefined ? undefined : this.entryAt(key);
		return entry !== undefined && 'unanswered' in entry;
	}

	/** Tasks of this run that no item goes by any more: replaced, or of a request that was changed. */
	leftBehind(): RememberedTask[] {
		const current = new Set(this.keyByItem.values());
		const isOfOtherCall = (key: string) => this.inUse.has(key) && !current.has(key);
		return this.keysOfRun()
			.filter((key) => !current.has(key) && !isOfOtherCall(originOf(key)))
			.flatMap((key) => rememberedTask(itemIndexIn(key), this.entryAt(key)) ?? []);
	}

	/** To be called when the node is done, however it ended: then another call may go by its tasks. */
	release(): void {
		for (const key of this.keyByItem.values()) this.inUse.delete(key);
	}

	/** Forgets this run; a node that succeeded has nothing to resume. */
	forgetRun(): void {
		// Other calls of the tool may be under way.
		const gone = new Set(this.scope.run === 'tool' ? this.keyByItem.values() : this.keysOfRun());
		for (const key of this.keysOfRun()) {
			if (gone.has(key) || gone.has(originOf(key))) Reflect.deleteProperty(this.entries, key);
		}
	}

	private keysOfRun(): string[] {
		const prefix = `${this.scope.run}:`;
		return Object.keys(this.entries).filter((key) => key.startsWith(prefix));
	}

	private findKey(itemIndex: number, identity: unknown): string {
		const key = this.newKey(itemIndex, identity);
		return this.scope.run === 'tool' ? this.freeKey(key) : key;
	}

	/** An agent may ask for the same several times at once, and means as many tasks. */
	private freeKey(key: string): string {
		const isLeft = (other: string) => !this.inUse.has(other) && this.entryAt(other) !== undefined;
		const twins = this.keysOfRun().filter((other) => other.startsWith(`${key}/`));
		const left = [key, ...twins].find((other) => !other.includes(REPLACED) && isLeft(other));
		if (left !== undefined) return left;
		let free = key;
		for (let count = 2; this.inUse.has(free); count += 1) free = `${key}/${count}`;
		return free;
	}

	private entryAt(key: string): Entry | undefined {
		return entrySchema.safeParse(this.entries[key]).data;
	}

	private keep(itemIndex: number, entry: Entry): void {
		const key = this.keyOf(itemIndex);
		this.setAside(key, entry);
		this.entries[key] = entry;
	}

	/** A task that another one takes the place of stays known by its id. */
	private setAside(key: string, next: Entry): void {
		const entry = this.entryAt(key);
		if (entry === undefined || !('taskId' in entry)) return;
		if ('taskId' in next && next.taskId === entry.taskId) return;
		this.entries[`${key}${REPLACED}${entry.taskId}`] = entry;
	}

	private keyOf(itemIndex: number): string {
		return this.keyByItem.get(itemIndex) ?? `${this.scope.run}:${itemIndex}:`;
	}

	private newKey(itemIndex: number, identity: unknown): string {
		const fingerprint = createHash('sha256')
			.update(JSON.stringify([this.scope.baseUrl, identity]))
			.digest('base64url');
		return `${this.scope.run}:${itemIndex}:${fingerprint}`;
	}
}

/** Parts the key of a task that was replaced from its id; in no fingerprint. */
const REPLACED = '>';

const itemIndexIn = (key: string): number => Number(key.split(':')[1]);
const originOf = (key: string): string => key.split(REPLACED)[0] ?? key;

function rememberedTask(itemIndex: number, entry: Entry | undefined): RememberedTask | undefined {
	if (entry === undefined || !('taskId' in entry)) return undefined;
	return { itemIndex, taskId: entry.taskId, status: entry.status };
}
