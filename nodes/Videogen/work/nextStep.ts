import { backoffMs } from '../shared/clock';
import { readRow } from '../service/responseRules';
import { percentIn, type Task } from '../service/task';
import type { ServiceError } from '../service/types';
import { nextReadInMs, type ProgressReport } from './schedule';

/** How long to tolerate a rejected key that was accepted before. */
const DENIED_MS = 2 * 60_000;

/** How long to look for a task that exists, and for one that nobody has seen yet. */
const NOT_FOUND_MS = { known: 30_000, unseen: 10_000 };

/** Failed reads in a row before giving up on a record that nobody waits for. */
const MAX_FAILED_READS = 3;

/** The longest gap after a failed read. */
const MAX_ERROR_GAP_MS = 30_000;

/** How long reads may fail for a record that nobody waits for. Queuing for a turn does not count. */
export const READ_MS = 2 * 60_000;

/** Everything that is known about a task while following it. Times are those of the run's clock. */
export interface Followed {
	/** When it was created, or when this run started to read it. */
	readonly sinceAt: number;
	/** Until when to wait, and how often to read at first. Absent if the first record is enough. */
	readonly wait?: { readonly deadlineAt: number; readonly intervalMs: number };
	/** Whether it certainly exists. */
	readonly isCreated: boolean;
	/** Its last record in this run. `reports` has the progress of every record. */
	readonly task?: Task;
	readonly reports: readonly ProgressReport[];
	/** How reads have failed since the last record: since when, how many, when the next is due. */
	readonly failing?: {
		readonly error: ServiceError;
		readonly firstAt: number;
		/** Since when in this way. */
		readonly sinceAt: number;
		readonly count: number;
		readonly nextAt: number;
	};
}

/** How following ends: with the record asked for, in a timeout, or unread. */
export type End = 'done' | 'timeout' | 'unread';
export type Step = { readonly readAt: number } | End;

/**
 * When to read the task next, or how following it ends.
 * @param isAccepted Whether the service has accepted the key in this run.
 */
export function nextStep(known: Followed, now: number, isAccepted: boolean): Step {
	const { failing, reports, sinceAt, task, wait } = known;
	if (failing) return stepAfterFailure(known, failing, now, isAccepted);
	if (!task) return wait && now > wait.deadlineAt ? 'timeout' : { readAt: now };
	if (task.state !== 'unfinished' || !wait) return 'done';
	const { deadlineAt, intervalMs } = wait;
	if (now >= deadlineAt) return 'timeout';
	const gapMs = nextReadInMs({ intervalMs, elapsedMs: now - sinceAt, reports });
	return { readAt: Math.min(now + gapMs, deadlineAt) };
}

function stepAfterFailure(
	{ isCreated, wait }: Followed,
	{ error, firstAt, sinceAt, count, nextAt }: NonNullable<Followed['failing']>,
	now: number,
	isAccepted: boolean,
): Step {
	const { again } = readRow(error);
	const graceMs = {
		never: 0,
		denied: isAccepted ? DENIED_MS : 0,
		// When waiting, the task may have been created a moment ago, in the node before this one.
		notFound: isCreated ? NOT_FOUND_MS.known : wait ? NOT_FOUND_MS.unseen : 0,
		passes: wait || count < MAX_FAILED_READS ? Infinity : 0,
		limited: Infinity,
	}[again];
	const graceEndAt = sinceAt + graceMs;
	const deadlineAt = wait?.deadlineAt ?? firstAt + READ_MS;
	if (now >= graceEndAt) return 'unread';
	if (now >= deadlineAt) return wait ? 'timeout' : 'unread';
	return { readAt: Math.max(now, Math.min(nextAt, graceEndAt, deadlineAt)) };
}

/** What is known after a record of the task. */
export function withRecord(known: Followed, task: Task, now: number): Followed {
	const percent = Math.max(0, Math.min(percentIn(task.record) ?? 0, 100));
	const reports = [...known.reports, { atMs: now - known.sinceAt, percent }];
	return { ...known, task, isCreated: true, failing: undefined, reports };
}

/**
 * What is known after a read that returned no record.
 * @param random Returns a number between 0 and 1.
 */
export function withError(
	known: Followed,
	error: ServiceError,
	now: number,
	random: () => number,
): Followed {
	const { failing, wait } = known;
	const { again } = readRow(error);
	const isSame = failing && readRow(failing.error).again === again;
	const count = (failing?.count ?? 0) + 1;
	// A 429 closes the gate for everyone, but is no reason to read sooner than usual.
	const gapMs = backoffMs(count, MAX_ERROR_GAP_MS, random);
	const nextAt = now + (again === 'limited' ? Math.max(gapMs, wait?.intervalMs ?? 0) : gapMs);
	const sinceAt = isSame ? failing.sinceAt : now;
	const firstAt = failing?.firstAt ?? now;
	return { ...known, failing: { error, firstAt, sinceAt, count, nextAt } };
}
