import { Semaphore } from '../common/semaphore';
import type { Timer } from '../common/timer';
import type { Answer, ServiceError } from '../service/answer';
import { rejectsTheKey } from '../service/retryPolicy';
import { Creates, type CreateTools } from './creates';
import { type Entry, isCreate } from './entry';
import { RateLimiter } from './rateLimiter';
import { READ_BUDGET_MS, type ReadTools, TaskReader } from './taskReader';

/** Keeps sockets and memory flat, whatever the number of tasks. */
const MAX_READS_AT_ONCE = 32;
const MAX_READ_PAUSE_MS = 30_000;

/** How far entries are brought. */
export type Until =
	/** Each has its task. */
	| 'created'
	/** Each task has a record that is read now, and an outcome if that says one. */
	| 'record'
	/** Each has an outcome. */
	| 'final';

/** What advancing needs of the run. */
export interface RunTools extends Pick<ReadTools, 'read'> {
	/** Without it, tasks are only read: the run can only end in an error, or was called back. */
	creating?: CreateTools;
	/** With its end nothing is sent any more, and reads end; creates that went out are waited for. */
	timer: Timer;
	/** How many unfinished tasks of this run the service may have at once. */
	maxConcurrentTasks: number;
	/** An entry has its outcome; told before the next one has its turn. */
	onOutcome?(entry: Entry): void;
	/** What follows before it is final; other entries go on meanwhile. */
	deliver?(entry: Entry): Promise<void>;
}

/**
 * Brings the entries of one run forward together: creates tasks, reads each when it is due, and
 * starts the next as one finishes. It knows neither HTTP nor n8n; time comes from the timer.
 */
export class TaskRun {
	private readonly creates: Creates | undefined;

	private readonly reads: RateLimiter;

	/** For unfinished tasks. */
	private readonly places: Semaphore;

	/** What reads ran into since `advance` began, whether a later one of the task succeeded or not. */
	readonly readErrors = new Map<Entry, ServiceError>();

	/** When this run has created the task of an entry: a task that fails then has no other one. */
	private readonly createdAt = new Map<Entry, number>();

	constructor(private readonly tools: RunTools) {
		const { timer, maxConcurrentTasks, creating } = tools;
		this.creates = creating && new Creates(timer, creating);
		this.places = new Semaphore(maxConcurrentTasks);
		this.reads = new RateLimiter(timer.clock, {
			maxAtOnce: MAX_READS_AT_ONCE,
			maxPauseMs: MAX_READ_PAUSE_MS,
		});
	}

	/**
	 * Resolves when none of the entries can be brought further; one that throws stops no other.
	 * @param recordBudgetMs For how long a record is asked for where nothing waits for the end.
	 */
	async advance(entries: Entry[], until: Until, recordBudgetMs = READ_BUDGET_MS): Promise<void> {
		this.readErrors.clear();
		// Tasks of an earlier try are unfinished at the service already, so they count first.
		for (const entry of entries) if (hasPlace(entry)) this.places.acquireOverLimit();
		const goal = { until, recordBudgetMs };
		const ends = await Promise.allSettled(
			entries.map(async (entry) => {
				if (!entry.outcome) await this.bring(entry, goal);
				if (until === 'final') await this.tools.deliver?.(entry);
			}),
		);
		const thrown = ends.find((end) => end.status === 'rejected');
		if (thrown) throw thrown.reason;
	}

	private async bring(entry: Entry, goal: Goal): Promise<void> {
		const isPlaced = isCreate(entry);
		if (isPlaced && !hasPlace(entry) && !(await this.places.acquire(this.tools.timer.signal))) {
			entry.outcome = { kind: 'notStarted' };
			return;
		}
		try {
			await (isPlaced ? this.createAndRead(entry, goal) : this.read(entry, goal));
			if (!entry.outcome) return;
			// The service may have room for another task now.
			const isFinished = entry.wait && ['done', 'failed'].includes(entry.outcome.kind);
			if (isFinished) this.creates?.served(true);
			this.tools.onOutcome?.(entry);
		} finally {
			if (isPlaced) this.places.release();
		}
	}

	private async createAndRead(entry: Entry, goal: Goal): Promise<void> {
		if (hasPlace(entry) || this.createdAt.has(entry) || (entry.task && !this.creates)) {
			const reader = await this.read(entry, goal);
			// A task of an earlier try that has failed since: its item may have another one.
			if (!reader?.foundItFailed || !this.creates) return;
			delete entry.outcome;
		}
		if (!this.creates) {
			entry.outcome = { kind: 'notStarted' };
			return;
		}
		const createdAt = await this.creates.create(entry);
		if (createdAt === undefined) return;
		this.createdAt.set(entry, createdAt);
		if (entry.wait) await this.read(entry, goal);
		else entry.outcome = { kind: 'done' };
	}

	private async read(
		entry: Entry,
		{ until, recordBudgetMs }: Goal,
	): Promise<TaskReader | undefined> {
		if (until === 'created') return undefined;
		const { timer, read } = this.tools;
		const onAnswer = (answer: Answer) => this.adaptTo(entry, answer);
		const timeoutMs = until === 'final' ? entry.wait?.timeoutMs : undefined;
		const reader = new TaskReader(
			entry,
			{ timer, read, reads: this.reads, onAnswer },
			{
				until: timeoutMs === undefined ? 'record' : 'final',
				budgetMs: timeoutMs ?? recordBudgetMs,
				createdAt: this.createdAt.get(entry),
			},
		);
		entry.outcome = await reader.read();
		return reader;
	}

	private adaptTo(entry: Entry, answer: Answer): void {
		if (answer.kind === 'task') return this.creates?.served(false);
		this.readErrors.set(entry, answer.error);
		if (rejectsTheKey(answer.error)) this.creates?.close(answer.error);
	}
}

/** How far entries are brought, and for how long a record is asked for meanwhile. */
interface Goal {
	until: Until;
	recordBudgetMs: number;
}

/** Whether the service has a task for it that may be unfinished. */
const hasPlace = ({ request, task, outcome }: Entry): boolean =>
	!outcome && request !== undefined && task !== undefined && task.state !== 'failed';
