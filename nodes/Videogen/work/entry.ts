import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../ground/json';
import type { ServiceError } from '../service/answer';
import type { GenerationRequest } from '../service/contract/request';
import { deniesTask, refusesContent } from '../service/answerTable';
import { failureOf } from '../service/errorPayload';
import type { Task } from '../service/task';

/** What an item becomes when its task did not complete. */
export const WAIT_ENDINGS = ['error', 'returnTask'] as const;

const waitSchema = z.object({
	/** How often the task is read at first; the gaps grow with the time that it takes. */
	intervalMs: z.number(),
	/** Counted from the answer to the create, or from when this try began to wait. */
	timeoutMs: z.number(),
	onTimeout: z.enum(WAIT_ENDINGS),
	onFailure: z.enum(WAIT_ENDINGS),
	/** Whether an answer that n8n streams says how far the videos are. */
	streamProgress: z.boolean().optional(),
});
/** How one item waits for its task, and what it becomes when that does not complete. */
export type WaitSettings = z.infer<typeof waitSchema>;

/** Where the first result goes; the others go to the same name with `_1`, `_2`… */
const downloadSchema = z.object({ binaryProperty: z.string() });
export type DownloadSettings = z.infer<typeof downloadSchema>;

const object = <Value extends object>() => z.custom<Value>((value: unknown) => isJsonObject(value));

/**
 * All that is known of one item: what it asks for, what was sent, what exists, how it is waited
 * for, what came of it. It is saved as it is.
 */
export const entrySchema = z.object({
	/** Index of the input item. */
	item: z.number(),
	/** Another try that has one of these asks for the same video, the first being the request; empty for Get Task. */
	wishes: z.array(z.string()),
	/** The create, with files by their names; absent when a task that exists is only read. */
	request: object<GenerationRequest>().optional(),
	/** How often the create went out without an answer that settles whether it made a task. */
	unanswered: z.number().optional(),
	/** Under which its creates go out, until it is known that they made no task. */
	orderKey: z.string().optional(),
	/** Of the task to read, which is known after the first answer; or one that the answer to a create named. */
	taskId: z.string().optional(),
	/** The task as it last was. */
	task: object<Task>().optional(),
	/** Whether its task is one of another execution: one that the service knows no more is ordered again. */
	isTaken: z.boolean().optional(),
	/** Whether the service has made its video, even if it is gone since. */
	hadVideo: z.boolean().optional(),
	/** Tasks of this item in whose place there is another one, as they failed. */
	replaced: z.array(object<Task>()).optional(),
	/** Without this, the first record is all that is asked for. */
	wait: waitSchema.optional(),
	/** Whether the files of a completed task are wanted. */
	download: downloadSchema.optional(),
	/** Whether the output is the fields that most workflows use, and not the whole record. */
	simplify: z.boolean().optional(),
	/** What came of it; absent while it is under way. */
	outcome: object<Outcome>().optional(),
	/** The execution in which a call of an agent's tool uses it now. */
	usedBy: z.string().optional(),
	/** The call that used it last, and the last of those that were asked for together with it. */
	call: z.object({ executionId: z.string(), run: z.number(), lastRun: z.number() }).optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** What an entry came to. */
export type Outcome =
	/** The record that was asked for: completed, or the first one when nothing is waited for. */
	| { kind: 'done' }
	/** The service reports that the task failed, was cancelled or expired. */
	| { kind: 'failed' }
	/** The time was up; `error` is what the last read ran into, if it ran into something. */
	| { kind: 'timedOut'; error?: ServiceError }
	/** Nothing was sent in this try, and why, in words for the user. */
	| { kind: 'notSent'; why: 'invalid' | 'limit' | 'noAnswer'; message: string; description: string }
	/** The create brought no task; `unanswered` says whether one may exist all the same. */
	| { kind: 'notCreated'; error: ServiceError }
	/** The task exists, or is said to, but could not be read. */
	| { kind: 'notRead'; error: ServiceError }
	/** The run ended before a create was sent. */
	| { kind: 'notStarted' }
	/** The run ended while the task was unfinished. */
	| { kind: 'stopped' };

/** Why nothing was sent for an entry. */
export type NotSent = Extract<Outcome, { kind: 'notSent' }>;

/** The id of the task that an entry goes by. */
export const taskIdOf = ({ task, taskId }: Entry): string | undefined => task?.id ?? taskId;

/** Whether the node itself creates the task of an entry, in this try or an earlier one. */
export const isCreate = ({ request }: Entry): boolean => request !== undefined;

/** What a task that is waited for has come to; `undefined` while it is unfinished. */
export const finalOutcome = ({ state }: Task): Outcome | undefined =>
	state === 'unfinished' ? undefined : { kind: state === 'completed' ? 'done' : 'failed' };

/** Whether its last create was refused for its content, and named no task that is still to be read. */
const isRefused = ({ taskId, outcome }: Entry): boolean =>
	taskId === undefined && outcome?.kind === 'notCreated' && refusesContent(outcome.error);

/** Whether it has come to its end without a video: another request is another order then. */
export const isOver = (entry: Entry): boolean =>
	entry.unanswered === undefined && (entry.task ? entry.task.state === 'failed' : isRefused(entry));

/**
 * Whether only a person asks for the very same again: the service would refuse it, has made it once,
 * or was told to cancel it.
 */
export function isForPerson(entry: Entry): boolean {
	const { task, hadVideo } = entry;
	// Also where an earlier create is unanswered: the same would be refused again.
	if (!task) return isRefused(entry);
	if (!isOver(entry)) return false;
	const failure = failureOf(task);
	return ['moderation', 'cancelled'].includes(failure) || (failure === 'expired' && !!hadVideo);
}

/** Its task, which has failed, stays known beside the one that takes its place. */
export function archiveTask(entry: Entry): void {
	if (!entry.task) return;
	entry.replaced = [...(entry.replaced ?? []), entry.task];
	delete entry.task;
	delete entry.hadVideo;
	delete entry.orderKey;
}

/** What it comes to when its task cannot be read any more: a completed one is known well enough. */
export const lastOutcome = ({ task }: Entry, error: ServiceError): Outcome =>
	task?.state === 'completed' && deniesTask(error) ? { kind: 'done' } : { kind: 'notRead', error };

/** What became of one of its creates is known. */
export function settleOne(entry: Entry): void {
	const unanswered = (entry.unanswered ?? 0) - 1;
	if (unanswered > 0) entry.unanswered = unanswered;
	else delete entry.unanswered;
}

/** Larger records are not kept: they would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** An entry without what is too large to be saved with an execution. */
export function trim(entry: Entry): void {
	const { task } = entry;
	if (task && JSON.stringify(task.record).length > MAX_RECORD_CHARACTERS) {
		entry.task = { ...task, record: minimalRecord(task) };
	}
}

const minimalRecord = ({ id, status }: Task): IDataObject => ({ id, status });
