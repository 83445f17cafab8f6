import type { IDataObject } from 'n8n-workflow';
import { MAX_URL_CHARACTERS } from '../ground/text';
import { isJsonObject } from '../ground/json';
import { ENDED_STATUSES } from './contract/limits';

/**
 * A task as the service last reported it. `status` is the service's own word; `state` is what it
 * means for waiting. A status that nobody is known to end with counts as unfinished.
 */
export interface Task {
	id: string;
	status: string;
	state: 'unfinished' | 'completed' | 'failed';
	/** The record exactly as received, unknown fields included. */
	record: IDataObject;
}

/**
 * What decoding leaves where bytes were no text, half characters, and dots that lead out of their
 * place in a path, also when a proxy decodes it before.
 */
const UNREADABLE_ID = /\ufffd|\p{Surrogate}|^\.+$|(?:^|[/\\])\.\.?(?:[/\\]|$)/u;

/**
 * An id as a record has it, blanks around it included; `undefined` for what cannot be asked for,
 * which is as good as none.
 */
export function taskIdIn(given: unknown): string | undefined {
	// A larger number has lost digits on its way, and would name another task.
	const id = Number.isSafeInteger(given) ? String(given) : given;
	if (typeof id !== 'string' || id.length > MAX_URL_CHARACTERS || id.trim() === '')
		return undefined;
	return UNREADABLE_ID.test(id.trim()) ? undefined : id;
}

/** In place of a status that the service did not give. */
const NOT_GIVEN = 'not given';

/** How a task has ended without its video, where it has; the service's words differ. */
export const endingOf = (status: string): 'failed' | 'cancelled' | 'expired' | undefined =>
	status === 'failed' ? status : ENDINGS.get(status);

const ENDINGS = new Map<string, 'cancelled' | 'expired'>(Object.entries(ENDED_STATUSES));

function stateOf(status: string): Task['state'] {
	if (status === 'completed') return status;
	return endingOf(status) ? 'failed' : 'unfinished';
}

export const hasResults = ({ record: { results } }: Task): boolean =>
	Array.isArray(results) && results.length > 0;

/** Whether it is completed without results, which some services fill in a moment later. */
export const mayBeFilled = (task: Task): boolean => task.state === 'completed' && !hasResults(task);

/** Whether the service has made the video, whatever became of it since. */
export const hasVideo = (task: Task): boolean => task.state === 'completed' || hasResults(task);

/** How far a record says that its task has come, in percent. */
export const percentIn = ({ progress }: IDataObject): number | undefined =>
	typeof progress === 'number' && Number.isFinite(progress) ? progress : undefined;

/**
 * Nothing but id and status is checked. The rest of the contract's record is passed on as it comes:
 * refusing a paid video because its `progress` is odd would help nobody.
 */
function taskWith(record: IDataObject, status: unknown): Task | undefined {
	const id = taskIdIn(record.id);
	if (id === undefined || typeof status !== 'string' || status === '') return undefined;
	return { id, status, state: stateOf(status), record };
}

/** The task that a parsed reply describes, or `undefined` when it is no task record. */
export const asTask = (reply: unknown): Task | undefined =>
	isJsonObject(reply) ? taskWith(reply, reply.status) : undefined;

/**
 * The same for the answer to a create, where an id is enough: without a usable status the task
 * exists and is paid for all the same, and reading it tells more.
 */
export function asCreatedTask(reply: unknown): Task | undefined {
	const task = asTask(reply);
	// An `error` beside the id makes it more likely that this is the id of the request.
	if (task || !isJsonObject(reply) || isJsonObject(reply.error)) return task;
	return taskWith(reply, NOT_GIVEN);
}

/** How long services of this kind keep results; the contract does not say. */
export const RESULT_LINK_LIFETIME = 'about a day';

/**
 * The URLs in a record's `results` (service-spec.md, 2.2: a list of them). Objects with a
 * `url` and a lone URL, which other services send, are understood too.
 */
export function resultUrls(record: IDataObject): string[] {
	const { results } = record;
	const entries: unknown[] = Array.isArray(results) ? results : [results];
	return entries.map(urlIn).filter((url) => url !== '');
}

function urlIn(entry: unknown): string {
	const url = isJsonObject(entry) ? entry.url : entry;
	return typeof url === 'string' ? url.trim() : '';
}

export const isUnknownWord = ({ status, state }: Task): boolean =>
	state === 'unfinished' && !['pending', 'processing'].includes(status);
