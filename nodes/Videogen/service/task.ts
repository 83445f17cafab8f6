import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../common/json';

/**
 * A task as the service last reported it. `status` is the service's own word; `state` is what it
 * means for waiting: a status outside the contract counts as unfinished, because only the
 * contract's two final statuses promise that nothing more will come.
 */
export interface Task {
	id: string;
	status: string;
	state: 'unfinished' | 'completed' | 'failed';
	/** The record exactly as received, unknown fields included. */
	record: IDataObject;
}

/** What decoding leaves where bytes were no text, half characters, and what a path resolves away. */
const UNREADABLE_ID = /\ufffd|\p{Surrogate}|^\.+$/u;

/** Whether an id can be asked for; one that cannot is as good as none. */
export const isReadableTaskId = (id: string): boolean => id !== '' && !UNREADABLE_ID.test(id);

/**
 * The two fields without which nothing can be done. The rest of the contract's record is passed
 * on as it comes: refusing a paid video because its `progress` is odd would help nobody.
 */
const idSchema = z
	// A larger number has lost digits on its way, and would name another task.
	.union([z.string().trim(), z.number().refine(Number.isSafeInteger)])
	.transform(String)
	.refine(isReadableTaskId);
const usableRecordSchema = z.object({ id: idSchema, status: z.string().min(1) });

/** In place of a status that the service did not give. */
const NOT_GIVEN = 'not given';

const stateOf = (status: string): Task['state'] =>
	status === 'completed' || status === 'failed' ? status : 'unfinished';

const countIn = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** How far a record says that its task has come, in percent. */
export const percentIn = ({ progress }: IDataObject): number | undefined => countIn(progress);

/** How long a record says that its task takes; the unit is not shown, in the field it is seconds. */
export function estimateMsIn({ task_info }: IDataObject): number | undefined {
	const seconds = isJsonObject(task_info) ? countIn(task_info.estimated_time) : undefined;
	return seconds === undefined ? undefined : 1_000 * seconds;
}

/** The task that a parsed reply describes, or `undefined` when it is no task record. */
export function asTask(reply: unknown): Task | undefined {
	if (!isJsonObject(reply)) return undefined;
	const usable = usableRecordSchema.safeParse(reply);
	if (!usable.success) return undefined;
	const { id, status } = usable.data;
	return { id, status, state: stateOf(status), record: reply };
}

/**
 * The same for the answer to a create, where an id is enough: without a usable status the task
 * exists and is paid for all the same, and reading it tells more.
 */
export function asCreatedTask(reply: unknown): Task | undefined {
	const task = asTask(reply);
	if (task !== undefined || !isJsonObject(reply)) return task;
	// An `error` beside it makes it more likely that this is the id of the request.
	const id = isJsonObject(reply.error) ? undefined : idSchema.safeParse(reply.id).data;
	if (id === undefined) return undefined;
	return { id, status: NOT_GIVEN, state: 'unfinished', record: reply };
}
