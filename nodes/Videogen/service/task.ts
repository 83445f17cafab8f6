import type { IDataObject } from 'n8n-workflow';
import { MAX_URL_CHARACTERS } from '../shared/text';
import { isJsonObject } from '../shared/json';
import { FINAL_STATUSES, TASK_STATUSES } from './contract/limits';
import { reportedError } from './said';

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

/** The service's words in the form in which they are compared. */
const plainWord = (status: string): string => status.trim().toLowerCase();

type Ending = keyof typeof FINAL_STATUSES;
const ENDING_OF = new Map(
	(['completed', 'failed', 'cancelled', 'expired'] as const).flatMap((ending) =>
		FINAL_STATUSES[ending].map((word): [string, Ending] => [word, ending]),
	),
);
const CONTRACT_WORDS = new Set<string>(TASK_STATUSES);

/** How a task has ended, where its status is one that ends it. */
export const endingOf = (status: string): Ending | undefined => ENDING_OF.get(plainWord(status));

function stateOf(status: string): Task['state'] {
	const ending = endingOf(status);
	if (ending === undefined) return 'unfinished';
	return ending === 'completed' ? ending : 'failed';
}

/** Whether its status is a word of the contract (section 2.2). */
const hasContractWord = ({ status }: Task): boolean => CONTRACT_WORDS.has(plainWord(status));

const isEmptyPlace = (entry: unknown): boolean =>
	isJsonObject(entry)
		? Object.values(entry).every(isEmptyPlace)
		: entry === null || entry === undefined || entry === '';

/** Whether its record lists something, whatever that is; an empty place is nothing. */
export const hasResults = ({ record: { results } }: Task): boolean =>
	![results].flat().every(isEmptyPlace);

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

/** Where answers have the record, beside the place that the contract gives it. */
const WRAPPERS = ['data', 'task', 'result'];

const wrappedTasks = (reply: unknown): Task[] =>
	WRAPPERS.flatMap((name) => (isJsonObject(reply) ? (asTask(reply[name]) ?? []) : []));

/**
 * The task in an answer that says that all is well: the one at the top when its status is a word of
 * the contract, else the one in `data`, `task` or `result`, as an envelope may have an id and a status
 * of its own.
 */
function chosenTask(top: Task | undefined, wrapped: Task[]): Task | undefined {
	if (top && hasContractWord(top)) return top;
	return wrapped.find(hasContractWord) ?? wrapped[0] ?? top;
}

/**
 * The task that a create has made, by the parsed answer to it (section 4.1). An id is enough: without a
 * usable status the task exists and is paid for all the same, and reading it tells more.
 */
export function createdTaskIn(reply: unknown): Task | undefined {
	const task = chosenTask(asTask(reply), wrappedTasks(reply));
	// An error beside the id makes it more likely that this is the id of the request.
	if (task || !isJsonObject(reply) || reportedError(reply) !== undefined) return task;
	return [...WRAPPERS.map((name) => reply[name]), reply]
		.flatMap((place) => (isJsonObject(place) ? (taskWith(place, NOT_GIVEN) ?? []) : []))
		.at(0);
}

/** The task with this id in the parsed answer to a read (section 4.2). */
export function readTaskIn(reply: unknown, id: string): Task | undefined {
	const isWanted = (task: Task): boolean => task.id.trim() === id.trim();
	const top = asTask(reply);
	return chosenTask(top && isWanted(top) ? top : undefined, wrappedTasks(reply).filter(isWanted));
}

/** Whether a parsed answer has a record of any task. */
export const hasRecord = (reply: unknown): boolean =>
	asTask(reply) !== undefined || wrappedTasks(reply).length > 0;

/** What a record beside an error needs, so that its id is that of a task. */
const isOfTask = (task: Task): boolean =>
	hasContractWord(task) || ['cancelled', 'expired'].includes(endingOf(task.status) ?? '');

/** The id of a task whose record is in an answer that is no plain success, as gateways send them. */
export const namedTaskIdIn = (reply: unknown): string | undefined =>
	[asTask(reply) ?? [], ...wrappedTasks(reply)].flat().find(isOfTask)?.id;

/**
 * The URLs in a record's `results` (docs/service.md, 2.2: a list of them). Objects with a
 * `url` and a lone URL, which other services send, are understood too.
 */
export const resultUrls = ({ results }: IDataObject): string[] =>
	[results].flat().map(urlIn).filter(Boolean);

function urlIn(entry: unknown): string {
	const url = isJsonObject(entry) ? entry.url : entry;
	return typeof url === 'string' ? url.trim() : '';
}
