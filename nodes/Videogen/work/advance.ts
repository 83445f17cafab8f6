import { Semaphore } from '../ground/semaphore';
import type { Timer } from '../ground/clock';
import type { Answer, ServiceError, Service } from '../service/answer';
import { deniesTask, rejectsTheKey } from '../service/answerTable';
import { type Confirmed, Creates, type Creating } from './creates';
import { type Entry, isCreate, isForPerson, settleOne } from './entry';
import type { RunReport } from './runReport';
import { READ_BUDGET_MS, type ReadGoal, TaskReader } from './taskReader';
import { Throttle } from './throttle';

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

/** What a run keeps to. */
export interface RunLimits {
	/** With its end nothing is sent any more, and reads end; creates that went out are waited for. */
	timer: Timer;
	/** How many unfinished tasks of this run the service may have at once. */
	maxConcurrentTasks: number;
}

/**
 * Brings the entries of one run forward together: creates tasks, reads each when it is due, and
 * starts the next as one finishes. It knows neither HTTP nor n8n; time comes from the timer.
 */
export class TaskRun {
	private readonly timer: Timer;

	private readonly creates: Creates | undefined;

	private readonly reads: Throttle;

	/** For unfinished tasks. */
	private readonly places: Semaphore;

	/** What reads ran into since `advance` began, whether a later one of the task succeeded or not. */
	readonly readErrors = new Map<Entry, ServiceError>();

	/** When this run has created the task of an entry: a task that fails then has no other one. */
	private readonly createdAt = new Map<Entry, number>();

	/** @param creating Without it, tasks are only read: the run can only end in an error, or was called back. */
	constructor(
		private readonly service: Service,
		private readonly report: RunReport,
		{ timer, maxConcurrentTasks }: RunLimits,
		creating?: Creating,
	) {
		this.timer = timer;
		const confirm = async (entry: Entry) => await this.confirm(entry);
		this.creates = creating && new Creates(service, report, timer, { ...creating, confirm });
		this.places = new Semaphore(maxConcurrentTasks);
		this.reads = new Throttle(timer.clock, {
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
		for (const entry of entries) {
			if (hasPlace(entry)) this.places.acquireOverLimit();
			if (entry.task) this.creates?.takenIds.add(entry.task.id);
		}
		const goal = { until, recordBudgetMs };
		const ends = await Promise.allSettled(
			entries.map(async (entry) => {
				if (!entry.outcome) await this.bring(entry, goal);
				if (until === 'final') await this.report.deliver?.(entry);
			}),
		);
		const thrown = ends.find((end) => end.status === 'rejected');
		if (thrown) throw thrown.reason;
	}

	/** Sends no create any more; tasks that exist are read to their end. */
	stopCreating(): void {
		this.creates?.close();
	}

	private async bring(entry: Entry, goal: Goal): Promise<void> {
		const isPlaced = isCreate(entry);
		if (isPlaced && !hasPlace(entry) && !(await this.places.acquire(this.timer.signal))) {
			entry.outcome = { kind: 'notStarted' };
			return;
		}
		try {
			await (isPlaced ? this.createAndRead(entry, goal) : this.read(entry, goal));
			if (!entry.outcome) return;
			// The service may have room for another task now.
			const isFinished = entry.wait && ['done', 'failed'].includes(entry.outcome.kind);
			if (isFinished) this.creates?.finished();
			this.report.onOutcome?.(entry);
		} finally {
			if (isPlaced) this.places.release();
		}
	}

	private async createAndRead(entry: Entry, goal: Goal): Promise<void> {
		if (entry.taskId !== undefined && !(await this.settleNamed(entry))) return;
		if (hasPlace(entry) || this.createdAt.has(entry) || (entry.task && !this.creates)) {
			const reader = await this.read(entry, goal);
			// A task of an earlier try that has failed since: its item may have another one.
			const hasFailed = reader?.foundItFailed === true;
			if (!this.creates || !(forgetTaken(entry, hasFailed) || hasFailed)) return;
		}
		if (isForPerson(entry)) {
			entry.outcome ??= { kind: entry.wait ? 'failed' : 'done' };
			return;
		}
		delete entry.outcome;
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
		const timeoutMs = until === 'final' ? entry.wait?.timeoutMs : undefined;
		const reader = this.readerOf(entry, {
			until: timeoutMs === undefined ? 'record' : 'final',
			budgetMs: timeoutMs ?? recordBudgetMs,
			createdAt: this.createdAt.get(entry),
		});
		entry.outcome = await reader.read();
		return reader;
	}

	/**
	 * Reads the task that the answer to a create named in an earlier try.
	 * @returns whether it is known now if there is one
	 */
	private async settleNamed(entry: Entry): Promise<boolean> {
		const { task, error } = await this.confirm(entry);
		if (task) settleOne(entry);
		if (task || (error && deniesTask(error))) {
			Object.assign(entry, { task });
			delete entry.taskId;
			return true;
		}
		entry.outcome = error ? { kind: 'notRead', error } : { kind: 'stopped' };
		return false;
	}

	/** Reads a task that may exist, with the patience of any other; leaves the entry as it is. */
	private async confirm(entry: Entry): Promise<Confirmed> {
		const { item, wishes, request, taskId } = entry;
		const named: Entry = { item, wishes, request, taskId };
		const goal = { until: 'record', budgetMs: READ_BUDGET_MS } as const;
		const outcome = await this.readerOf(named, goal).read();
		return { task: named.task, error: outcome?.kind === 'notRead' ? outcome.error : undefined };
	}

	private readerOf(entry: Entry, goal: ReadGoal): TaskReader {
		const { service, timer, reads } = this;
		const onAnswer = (answer: Answer) => this.adaptTo(entry, answer);
		return new TaskReader(entry, { service, timer, reads, onAnswer }, goal);
	}

	private adaptTo(entry: Entry, answer: Answer): void {
		if (answer.kind === 'task') return this.creates?.reached();
		this.readErrors.set(entry, answer.error);
		if (rejectsTheKey(answer.error)) this.creates?.close(answer.error);
	}
}

/** How far entries are brought, and for how long a record is asked for meanwhile. */
interface Goal {
	until: Until;
	recordBudgetMs: number;
}

/** Forgets a taken task that has failed, or that the service knows no more. @returns whether it was so */
function forgetTaken(entry: Entry, hasFailed: boolean): boolean {
	const { outcome, isTaken } = entry;
	const isGone = outcome?.kind === 'notRead' && deniesTask(outcome.error);
	if (!isTaken || !(hasFailed || isGone)) return false;
	delete entry.task;
	delete entry.isTaken;
	delete entry.hadVideo;
	return true;
}

/** Whether the service has a task for it that may be unfinished. */
const hasPlace = ({ request, task, outcome }: Entry): boolean =>
	!outcome && request !== undefined && task !== undefined && task.state !== 'failed';
