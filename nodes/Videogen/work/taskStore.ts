import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../ground/json';
import type { Task } from '../service/task';
import {
	archiveTask,
	type Entry,
	entrySchema,
	isCreate,
	isForPerson,
	isOver,
	taskIdOf,
	trim,
} from './entry';

/** The one name under which everything is kept in n8n's node context. */
export const CONTEXT_KEY = 'videogen';

/** What is kept there; n8n saves it with a failed execution. */
const savedSchema = z.object({
	/** How many tasks an execution has created, or may have created, in all runs of the node. */
	created: z.object({ executionId: z.string(), count: z.number() }).optional(),
	/** The last run in which an item came back for nothing, and how many there were in a row. */
	turns: z.object({ run: z.string(), count: z.number() }).optional(),
	/** The entries of each run of the node. */
	runs: z.record(z.string(), z.array(entrySchema)),
});
export type Saved = z.infer<typeof savedSchema>;

/** All calls of an agent's tool share one list: n8n counts the tries of a call as runs. */
export const TOOL_RUN = 'tool';

/** A place in an execution that n8n keeps between the tries of a node, and with a failed run. */
export interface StoreScope {
	/** n8n's own object. */
	context: IDataObject;
	/** Which run of the node this is, as loops run it many times; or `TOOL_RUN`. */
	run: string;
	executionId: string;
	/** For a call of a tool: which run this is, and the last that was asked for together with it. */
	call?: { run: number; lastRun: number };
}

/** A task with the item that it was made for. */
export interface StoredTask {
	itemIndex: number;
	taskId: string;
	status?: string;
}

/** What an item asks for in a try, or why it asks for nothing. */
export interface Ask extends Pick<
	Entry,
	'item' | 'wishes' | 'request' | 'taskId' | 'wait' | 'download' | 'simplify' | 'outcome'
> {
	/** Of an item that comes back with an error of this node: the task that the error names, if any. */
	returned?: { taskId?: string };
}

/** What was sent and what exists in a run of the node, from which a later try goes on. */
export class TaskStore {
	private readonly saved: Saved;

	private readonly entries: Entry[];

	/** The entries of this try, in the order of its items. */
	private current: Entry[] = [];

	constructor(private readonly scope: StoreScope) {
		this.saved = savedIn(scope.context);
		this.entries = this.saved.runs[scope.run] ??= [];
	}

	/** The entries of this try, each that of an earlier one where that asked for the same. */
	begin(asks: Ask[]): Entry[] {
		if (this.saved.created?.executionId !== this.scope.executionId) this.obeyPerson();
		const byItem = new Map<number, Entry[]>();
		for (const one of this.entries) byItem.set(one.item, [...(byItem.get(one.item) ?? []), one]);
		this.current = [];
		for (const ask of asks) this.current.push(this.entryFor(ask, byItem));
		return this.current;
	}

	/** In a new execution, as Retry starts one, what has failed or was refused may be ordered again. */
	private obeyPerson(): void {
		this.count(0);
		delete this.saved.turns;
		for (const entry of Object.values(this.saved.runs).flat()) {
			if (entry.task?.state === 'failed') archiveTask(entry);
			delete entry.outcome;
		}
	}

	/** How many tasks all runs of the node in this execution have created, or may have created. */
	get newTasks(): number {
		const { created } = this.saved;
		return created?.executionId === this.scope.executionId ? created.count : 0;
	}

	count(more: number): void {
		this.saved.created = {
			executionId: this.scope.executionId,
			count: Math.max(0, this.newTasks + more),
		};
	}

	/** Every task that was created in this run, those of earlier tries included. */
	tasks(): StoredTask[] {
		return this.own().flatMap(tasksOf);
	}

	/** Tasks of this run that no item goes by any more: replaced, or of a request that was changed. */
	orphanedTasks(): StoredTask[] {
		const current = new Set(this.current.map(taskIdOf));
		return this.tasks().filter(({ taskId }) => !current.has(taskId));
	}

	/** Items whose create was sent without an answer that settles it, in this try or before. */
	unansweredItems(): number[] {
		const isUnanswered = (entry: Entry) =>
			entry.unanswered !== undefined &&
			(this.current.includes(entry) ||
				!this.current.some((one) => isCreate(one) && one.item === entry.item));
		return [
			...new Set(
				this.own()
					.filter(isUnanswered)
					.map(({ item }) => item),
			),
		];
	}

	/** To be called when the node is done, however it ended. */
	close(): void {
		for (const entry of this.current) {
			delete entry.usedBy;
			trim(entry);
		}
	}

	/**
	 * Forgets this run but for the items that ended in an error, which a loop may bring back: a node
	 * that succeeded has nothing else to continue from. An agent may ask again for what it has got.
	 */
	forgetAllBut(failed: Entry[]): void {
		const { run } = this.scope;
		if (run === TOOL_RUN) return;
		const kept = this.entries.filter((entry) => failed.includes(entry));
		if (kept.length > 0) this.saved.runs[run] = kept;
		else Reflect.deleteProperty(this.saved.runs, run);
	}

	/** @returns in how many runs in a row, this one included, an item came back for nothing */
	countTurn(isInVain: boolean): number {
		const { run } = this.scope;
		const { count = 0, run: last } = this.saved.turns ?? {};
		this.saved.turns = { run, count: isInVain ? count + (last === run ? 0 : 1) : 0 };
		return this.saved.turns.count;
	}

	private entryFor({ returned, ...ask }: Ask, byItem: Map<number, Entry[]>): Entry {
		const candidates = this.scope.run === TOOL_RUN ? this.entries : byItem.get(ask.item);
		const same = (candidates ?? []).filter((one) => this.isFor(one, ask));
		const open = same.filter(({ unanswered, task }) => unanswered ?? (task && !hasFailed(task)));
		const earlier = open.at(-1) ?? same.at(-1);
		const entry = earlier ?? (returned && this.broughtBack(ask, returned)) ?? this.added(ask);
		if (!isForPerson(entry)) delete entry.outcome;
		// A retry may ask in other words, as `$now` does; what was sent stays until something else is.
		Object.assign(entry, ask, { request: entry.request });
		const { executionId, call, run } = this.scope;
		if (run === TOOL_RUN) entry.usedBy = executionId;
		if (call) entry.call = { executionId, ...call };
		return entry;
	}

	/**
	 * The entry of an item in an earlier run of the node, which belongs to this run from now on.
	 */
	private broughtBack(ask: Ask, { taskId }: { taskId?: string }): Entry | undefined {
		for (const [run, entries] of Object.entries(this.saved.runs)) {
			if (run === TOOL_RUN || run === this.scope.run) continue;
			const entry = entries.find(
				(one) =>
					!this.current.includes(one) &&
					this.isFor(one, ask) &&
					(taskId === undefined || idsOf(one).includes(taskId)),
			);
			if (!entry) continue;
			this.saved.runs[run] = entries.filter((one) => one !== entry);
			this.entries.push(entry);
			return entry;
		}
		return undefined;
	}

	/** What only reads, or asks for nothing, leaves nothing to go on from. */
	private added(ask: Ask): Entry {
		const entry: Entry = { ...ask };
		if (isCreate(entry)) this.entries.push(entry);
		return entry;
	}

	/** What has failed was that of the very same request: who changes it wants another task. */
	private isFor(entry: Entry, { wishes }: Ask): boolean {
		if (this.isInUse(entry) || this.isAskedBeside(entry)) return false;
		if (isOver(entry)) return entry.wishes[0] === wishes[0];
		return entry.wishes.some((wish) => wishes.includes(wish));
	}

	/** An agent may ask for the same several times at once, and means as many tasks. */
	private isAskedBeside({ call: other }: Entry): boolean {
		const { call, executionId } = this.scope;
		if (!call || other?.executionId !== executionId) return false;
		return call.run !== other.run && call.run <= other.lastRun;
	}

	private isInUse({ usedBy }: Entry): boolean {
		return usedBy === this.scope.executionId;
	}

	/** A call of a tool knows nothing of the others. */
	private own(): Entry[] {
		return this.scope.run === TOOL_RUN ? this.current.filter(isCreate) : this.entries;
	}
}

/** The ids with which an item may have gone out. */
const idsOf = (entry: Entry): Array<string | undefined> => [
	taskIdOf(entry),
	...(entry.replaced ?? []).map(({ id }) => id),
];

const hasFailed = ({ state }: Task): boolean => state === 'failed';

/** Those that may exist by the answer to a create included. */
function tasksOf({ item, task, taskId, replaced = [], request }: Entry): StoredTask[] {
	const tasks = [...replaced, ...(task && request ? [task] : [])].map(({ id, status }) => ({
		itemIndex: item,
		taskId: id,
		status,
	}));
	const isNamed = request && !task && taskId !== undefined;
	return isNamed ? [...tasks, { itemIndex: item, taskId }] : tasks;
}

const isSaved = (value: unknown): value is Saved => savedSchema.safeParse(value).success;

/** What an execution holds, changed in place from here on; what cannot be read is left out. */
function savedIn(context: IDataObject): Saved {
	const kept: unknown = context[CONTEXT_KEY];
	const saved = isSaved(kept) ? kept : readablePartOf(kept);
	Object.assign(context, { [CONTEXT_KEY]: saved });
	return saved;
}

const isEntry = (value: unknown): value is Entry => entrySchema.safeParse(value).success;

/** One entry that cannot be read, from another version of the node, must not lose the others. */
function readablePartOf(kept: unknown): Saved {
	const { created, runs } = isJsonObject(kept) ? kept : {};
	const readable = Object.entries(isJsonObject(runs) ? runs : {}).map(
		([run, entries]): [string, Entry[]] => [
			run,
			Array.isArray(entries) ? entries.filter(isEntry) : [],
		],
	);
	return {
		created: savedSchema.shape.created.safeParse(created).data,
		runs: Object.fromEntries(readable),
	};
}
