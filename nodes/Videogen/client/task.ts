import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from './json';

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
const usableRecordSchema = z.object({
	id: z.union([z.string().trim(), z.number()]).transform(String).refine(isReadableTaskId),
	status: z.string().min(1),
});

const stateOf = (status: string): Task['state'] =>
	status === 'completed' || status === 'failed' ? status : 'unfinished';

/** The task that a parsed reply describes, or `undefined` when it is no task record. */
export function asTask(reply: unknown): Task | undefined {
	if (!isJsonObject(reply)) return undefined;
	const usable = usableRecordSchema.safeParse(reply);
	if (!usable.success) return undefined;
	const { id, status } = usable.data;
	return { id, status, state: stateOf(status), record: reply };
}
