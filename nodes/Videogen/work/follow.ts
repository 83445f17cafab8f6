import { backoffMs, type Timer } from '../shared/clock';
import type { Service, ServiceError } from '../service/types';
import { readRow, type Row } from '../service/responseRules';
import { hasResults, percentIn, type Task } from '../service/task';
import type { Gate } from './gate';
import { nextReadInMs, type ProgressReport } from './schedule';

/**
 * How long to tolerate a rejected key that was accepted before, and how long results may be late.
 */
export const PATIENCE_MS = 2 * 60_000;

/** How long to look for a task that exists, and for one that nobody has seen yet. */
const NOT_FOUND_MS = { known: 30_000, unseen: 10_000 };

/** Failed reads in a row before giving up on a record that nobody waits for. */
const MAX_FAILED_READS = 3;

/** The longest gap after a failed read, and the gaps between reads for late results. */
const MAX_ERROR_GAP_MS = 30_000;
const RESULTS_GAP_MS = { min: 2_000, max: 10_000 };

/** How late after the deadline a read may be sent, if many tasks have the same deadline. */
const LATE_READ_MS = 1_000;
/** The least time for a read: what is left until the deadline may be too short for an answer. */
const LEAST_READ_MS = 5_000;

/** Everything that is known about a task while following it. Times are those of the run's clock. */
export interface Known {
	/** When it was created, or when this run started to read it. */
	sinceAt: number;
	deadlineAt: number;
	/** How often to read it at first. Absent if the first record is enough. */
	intervalMs?: number;
	/** Whether its results are wanted. */
	needsResults: boolean;
	/** Whether it certainly exists. */
	isCreated: boolean;
	/** Its last record in this run. `reports` has the progress of every record. */
	task?: Task;
	reports: ProgressReport[];
	/** When it was first seen completed but without results. */
	emptySinceAt?: number;
	/** How reads have failed since the last record: since when, how often, when the next is due. */
	failure?: { error: ServiceError; sinceAt: number; count: number; nextAt: number };
}

/** How following ends: with the record asked for, without results, in a timeout, or unread. */
export type End = 'done' | 'noResults' | 'timeout' | 'unread';
export type Step = { readAt: number } | End;

/**
 * When to read the task next, or how following it ends.
 * @param isAccepted Whether the service has accepted the key in this run.
 */
export function nextStep(known: Known, now: number, isAccepted: boolean): Step {
	const { deadlineAt, failure, needsResults, task } = known;
	if (failure) return stepAfterFailure(known, failure, now, isAccepted);
	if (!task) return now > deadlineAt ? 'timeout' : { readAt: now };
	if (task.state === 'unfinished') return stepWhileUnfinished(known, now);
	if (task.state === 'failed' || hasResults(task) || !needsResults) return 'done';
	return stepWithoutResults(known.emptySinceAt ?? now, now);
}

function stepWhileUnfinished(
	{ deadlineAt, intervalMs, reports, sinceAt }: Known,
	now: number,
): Step {
	if (intervalMs === undefined) return 'done';
	if (now >= deadlineAt) return 'timeout';
	const gapMs = nextReadInMs({ intervalMs, elapsedMs: now - sinceAt, reports });
	return { readAt: Math.min(now + gapMs, deadlineAt) };
}

function stepWithoutResults(emptySinceAt: number, now: number): Step {
	const lateAt = emptySinceAt + PATIENCE_MS;
	if (now >= lateAt) return 'noResults';
	const gapMs = Math.max(RESULTS_GAP_MS.min, (now - emptySinceAt) / 4);
	return { readAt: Math.min(now + Math.min(gapMs, RESULTS_GAP_MS.max), lateAt) };
}

function stepAfterFailure(
	known: Known,
	{ error, sinceAt, count, nextAt }: NonNullable<Known['failure']>,
	now: number,
	isAccepted: boolean,
): Step {
	const { again } = readRow(error);
	const graceEndAt = sinceAt + graceMs(again, known, isAccepted);
	if (now >= graceEndAt) return 'unread';
	const waits = known.intervalMs !== undefined;
	const lateAt = known.emptySinceAt === undefined ? undefined : known.emptySinceAt + PATIENCE_MS;
	const deadlineAt = lateAt ?? known.deadlineAt;
	if (now >= deadlineAt && lateAt !== undefined) return 'noResults';
	if (now >= deadlineAt) return waits ? 'timeout' : 'unread';
	if (!waits && again === 'passes' && count >= MAX_FAILED_READS) return 'unread';
	return { readAt: Math.max(now, Math.min(nextAt, graceEndAt, deadlineAt)) };
}

/** How long reads may fail in this way. */
function graceMs(
	again: Row['again'],
	{ isCreated, intervalMs }: Known,
	isAccepted: boolean,
): number {
	if (again === 'never') return 0;
	if (again === 'denied') return isAccepted ? PATIENCE_MS : 0;
	if (again !== 'notFound') return Infinity;
	// When waiting, the task may have been created a moment ago, in the node before this one.
	const unseenMs = intervalMs === undefined ? 0 : NOT_FOUND_MS.unseen;
	return isCreated ? NOT_FOUND_MS.known : unseenMs;
}

/** Notes a record of the task. */
export function noteRecord(known: Known, task: Task, now: number): void {
	const percent = Math.max(0, Math.min(percentIn(task.record) ?? 0, 100));
	known.reports.push({ atMs: now - known.sinceAt, percent });
	Object.assign(known, { task, failure: undefined, isCreated: true });
	if (task.state === 'completed' && !hasResults(task)) known.emptySinceAt ??= now;
}

/** Notes a read that returned no record. @param random Returns a number between 0 and 1. */
export function noteFailure(
	known: Known,
	error: ServiceError,
	now: number,
	random: () => number,
): void {
	const { failure, intervalMs = 0 } = known;
	const { again } = readRow(error);
	const isSame = failure && readRow(failure.error).again === again;
	const count = (failure?.count ?? 0) + 1;
	// A 429 closes the gate for everyone, but is no reason to read sooner than usual.
	const gapMs = backoffMs(count, MAX_ERROR_GAP_MS, random);
	const nextAt = now + (again === 'limited' ? Math.max(gapMs, intervalMs) : gapMs);
	known.failure = { error, sinceAt: isSame ? failure.sinceAt : now, count, nextAt };
}

/** What reading needs from the run. */
interface ReadTools {
	service: Service;
	gate: Gate;
	/** Ends with the run. */
	timer: Timer;
	isAccepted(): boolean;
	onAnswer(error?: ServiceError): void;
}

/** Reads a task until there is what was asked for, or reading can no longer succeed. */
export async function follow(
	taskId: string,
	known: Known,
	{ service, gate, timer, isAccepted, onAnswer }: ReadTools,
): Promise<End | 'stopped'> {
	const { clock, signal } = timer;
	const inTime = timer.signalAt(known.deadlineAt + LATE_READ_MS);
	for (;;) {
		const step = nextStep(known, clock.now(), isAccepted());
		if (typeof step === 'string') return step;
		await timer.until(step.readAt);
		// Late results may come after the deadline.
		const end = inTime.aborted ? signal : inTime;
		const hasTurn = !signal.aborted && (await gate.enter(end));
		if (hasTurn && signal.aborted) gate.leave();
		if (signal.aborted) return 'stopped';
		if (!hasTurn) continue;
		const sentAt = clock.now();
		const leftMs = Math.max(LEAST_READ_MS, known.deadlineAt - sentAt);
		const answer = await service.read(taskId, signal, leftMs).finally(() => gate.leave());
		const error = answer.kind === 'error' ? answer.error : undefined;
		if (error && readRow(error).again === 'limited') gate.refused(error, sentAt);
		else gate.accepted();
		if (signal.aborted) return 'stopped';
		if (answer.kind === 'task') noteRecord(known, answer.task, clock.now());
		else noteFailure(known, answer.error, clock.now(), clock.random);
		onAnswer(error);
	}
}
