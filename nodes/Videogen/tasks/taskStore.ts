import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../common/json';
import { asTask, type Task } from '../service/task';
import type { TaskEvent, TaskJob } from './job';

/** Under this name everything is kept in n8n's node context, one list for each run of the node. */
const CONTEXT_KEY = 'videogenTasks';

/** How many tasks an execution has created or may have created, whatever became of its runs. */
const COUNT_KEY = 'videogenNewTasks';
const countSchema = z.object({ executionId: z.string(), count: z.number() });

/** Larger records are not kept: they would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** One create of one item: that it was sent, and what is known of the task that it made. */
const entrySchema = z.object({
	item: z.number(),
	/** A later request with one of these asks for the same. */
	requests: z.array(z.string()),
	/** How often it was sent without an answer: a task may exist whose id nobody knows. */
	unanswered: z.number().optional(),
	taskId: z.string().optional(),
	status: z.string().optional(),
	failed: z.boolean().optional(),
	/** The record as it last was; left out when it is huge. */
	record: z.unknown(),
	/** The execution in which a call of an agent's tool has it in use. */
	usedBy: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

/** A place in an execution that n8n keeps between the tries of a node, and with a failed run. */
export interface StoreScope {
	/** n8n's own object; what is put in is saved with the execution. */
	context: IDataObject;
	/**
	 * Which run of the node this is: loops run it many times. As a tool of an agent, all its calls
	 * share one list, because n8n counts the tries of one call as runs.
	 */
	run: number | 'tool';
	executionId: string;
}

/** A task of this run, with the item that it was made for. */
export interface StoredTask {
	itemIndex: number;
	taskId: string;
	status?: string;
}

/** What an earlier try has done for an item, as far as its job goes on from it. */
type EarlierTry = Pick<TaskJob, 'existing' | 'mayExist' | 'failed'>;

/**
 * The truth about what was sent and what exists, by run and item: a run that is entered again goes
 * on from it, so that a retry reads the task that exists instead of paying for another.
 */
export class TaskStore {
	private readonly entries: Entry[];

	private readonly byItem = new Map<number, Entry[]>();

	/** The entry that an item of this try goes by. */
	private readonly current = new Map<number, Entry>();

	/** Everything that this try has in use, replaced tasks included. */
	private readonly used = new Set<Entry>();

	constructor(private readonly scope: StoreScope) {
		const { runs, key } = this.place();
		const kept: unknown = runs[key];
		const entries = z.array(z.unknown()).safeParse(kept).data ?? [];
		// Changed in place from here on: calls of a tool share the list.
		this.entries = isEntryList(kept) ? kept : entries.filter(isEntry);
		Object.assign(runs, { [key]: this.entries });
		for (const entry of this.entries) {
			this.byItem.set(entry.item, [...(this.byItem.get(entry.item) ?? []), entry]);
		}
	}

	/**
	 * Finds what an earlier try did for the same request of the same item.
	 * @param requests See `requestIdentities`.
	 */
	begin(itemIndex: number, requests: string[]): EarlierTry {
		const candidates = this.scope.run === 'tool' ? this.entries : this.byItem.get(itemIndex);
		const same = (candidates ?? []).filter((entry) => this.isFor(entry, requests));
		const open = same.filter(({ unanswered, taskId, failed }) => unanswered || (taskId && !failed));
		const entry = open.at(-1) ?? same.at(-1) ?? this.add(itemIndex, requests);
		entry.requests = requests;
		this.use(itemIndex, entry);
		if (entry.unanswered) return { mayExist: true };
		if (entry.taskId === undefined) return {};
		const task = asTask(entry.record);
		if (entry.failed) return { failed: task };
		return { existing: { taskId: entry.taskId, isOwn: true, lastSeen: task } };
	}

	/** To be told of everything that happens to the jobs of creates. */
	take(itemIndex: number, event: TaskEvent): void {
		const entry = this.current.get(itemIndex);
		if (entry === undefined) return;
		if (event.kind === 'submitted') this.count(this.submitted(itemIndex, entry), 1);
		// What an earlier try sent may have made a task all the same.
		if (event.kind === 'refused') this.count(entry, -1);
		if (event.kind === 'created' || event.kind === 'updated') keepTask(entry, event.task);
	}

	/** From the moment at which a create goes out, a task may exist. */
	private count(entry: Entry, more: number): void {
		const { context, executionId } = this.scope;
		context[COUNT_KEY] = { executionId, count: this.newTasks + more };
		countUnanswered(entry, more);
	}

	/** How many tasks all runs of the node in this execution have created, or may have created. */
	get newTasks(): number {
		const counted = countSchema.safeParse(this.scope.context[COUNT_KEY]).data;
		return counted?.executionId === this.scope.executionId ? counted.count : 0;
	}

	/** Every task of this run, those of earlier tries included. */
	tasks(): StoredTask[] {
		const own = this.entries.filter((entry) => this.used.has(entry) || !this.isInUse(entry));
		return own.flatMap(storedTask);
	}

	/** Tasks of this run that no item goes by any more: replaced, or of a request that was changed. */
	orphanedTasks(): StoredTask[] {
		const current = new Set([...this.current.values()].map(({ taskId }) => taskId));
		return this.tasks().filter(({ taskId }) => !current.has(taskId));
	}

	/** Items whose create was sent and not answered, in this try or in one before it. */
	unansweredItems(): number[] {
		const isOpen = (entry: Entry) =>
			entry.unanswered && (this.current.get(entry.item) ?? entry) === entry;
		return [...new Set(this.entries.filter(isOpen).map(({ item }) => item))];
	}

	/** To be called when the node is done, however it ended: then another call may go by its tasks. */
	release(): void {
		for (const entry of this.used) delete entry.usedBy;
	}

	/** Forgets this run; a node that succeeded has nothing to resume. */
	forget(): void {
		const { runs, key } = this.place();
		if (this.scope.run !== 'tool') {
			Reflect.deleteProperty(runs, key);
			return;
		}
		// Other calls of the tool may be under way, and hold the same list.
		const kept = this.entries.filter((one) => !this.used.has(one));
		this.entries.splice(0, this.entries.length, ...kept);
	}

	private place(): { runs: IDataObject; key: string } {
		const { context, run } = this.scope;
		const kept = context[CONTEXT_KEY];
		const runs = isJsonObject(kept) ? kept : {};
		context[CONTEXT_KEY] = runs;
		return { runs, key: run === 'tool' ? 'tool' : `run ${run}` };
	}

	/** An agent may ask for the same several times at once, and means as many tasks. */
	private isFor(entry: Entry, requests: string[]): boolean {
		return !this.isInUse(entry) && entry.requests.some((request) => requests.includes(request));
	}

	private isInUse({ usedBy }: Entry): boolean {
		return this.scope.run === 'tool' && usedBy === this.scope.executionId;
	}

	/** A task that another one takes the place of stays known by its id. */
	private submitted(itemIndex: number, entry: Entry): Entry {
		if (entry.taskId === undefined) return entry;
		const next = this.add(itemIndex, entry.requests);
		this.use(itemIndex, next);
		return next;
	}

	private add(item: number, requests: string[]): Entry {
		const entry: Entry = { item, requests };
		this.entries.push(entry);
		this.byItem.set(item, [...(this.byItem.get(item) ?? []), entry]);
		return entry;
	}

	private use(itemIndex: number, entry: Entry): void {
		if (this.scope.run === 'tool') entry.usedBy = this.scope.executionId;
		this.current.set(itemIndex, entry);
		this.used.add(entry);
	}
}

const isEntry = (value: unknown): value is Entry => entrySchema.safeParse(value).success;
const isEntryList = (value: unknown): value is Entry[] =>
	Array.isArray(value) && value.every(isEntry);

function countUnanswered(entry: Entry, more: number): void {
	const count = (entry.unanswered ?? 0) + more;
	if (count > 0) entry.unanswered = count;
	else delete entry.unanswered;
}

function keepTask(entry: Entry, { id, status, state, record }: Task): void {
	delete entry.unanswered;
	entry.taskId = id;
	entry.status = status;
	entry.failed = state === 'failed';
	entry.record = JSON.stringify(record).length <= MAX_RECORD_CHARACTERS ? record : undefined;
}

const storedTask = ({ item, taskId, status }: Entry): StoredTask[] =>
	taskId === undefined ? [] : [{ itemIndex: item, taskId, status }];
