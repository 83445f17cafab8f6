import type { IDataObject } from 'n8n-workflow';
import { MAX_URL_CHARACTERS } from '../shared/text';
import { isJsonObject } from '../shared/json';
import { type Ending, ENDINGS, FINAL_STATUSES, TASK_STATUSES } from './contract/limits';
import { reportedError } from './providerMessage';

/**
 * A task as the service last reported it. `status` is the service's own word, `state` is what it
 * means for waiting. An unknown status counts as unfinished.
 */
export interface Task {
	id: string;
	status: string;
	state: 'unfinished' | 'completed' | 'failed';
	/** The record exactly as received, including unknown fields. */
	record: IDataObject;
}

/**
 * Marks of an ID that cannot be requested: replacement characters left by decoding invalid bytes,
 * lone surrogates, and dot segments that leave their place in a path, even once a proxy decodes it.
 */
const UNREADABLE_ID = /\ufffd|\p{Surrogate}|^\.+$|(?:^|[/\\])\.\.?(?:[/\\]|$)/u;

/**
 * An ID as it appears in a record, with any blanks around it. `undefined` if it cannot be
 * requested, which is as good as no ID.
 */
export function usableId(given: unknown): string | undefined {
	// A larger number has lost digits on its way, and would name another task.
	const id = Number.isSafeInteger(given) ? String(given) : given;
	if (typeof id !== 'string' || id.length > MAX_URL_CHARACTERS || id.trim() === '')
		return undefined;
	return UNREADABLE_ID.test(id.trim()) ? undefined : id;
}

/** Used in place of a status that the service did not give. */
const NOT_GIVEN = 'not given';

/** Normalizes a status for comparison. */
const plainWord = (status: string): string => status.trim().toLowerCase();

const CONTRACT_WORDS = new Set<string>(TASK_STATUSES);

/** How a task ended, if its status is final. */
export const endingOf = (status: string): Ending | undefined =>
	ENDINGS.find((ending) => FINAL_STATUSES[ending].includes(plainWord(status)));

function stateOf(status: string): Task['state'] {
	const ending = endingOf(status);
	if (ending === undefined) return 'unfinished';
	return ending === 'completed' ? ending : 'failed';
}

/** Whether the status is one of the contract's words (section 2.2). */
const hasContractWord = ({ status }: Task): boolean => CONTRACT_WORDS.has(plainWord(status));

const isEmptyPlace = (entry: unknown): boolean =>
	isJsonObject(entry)
		? Object.values(entry).every(isEmptyPlace)
		: entry === null || entry === undefined || entry === '';

/** Whether the record lists any results, whatever they are. Empty entries do not count. */
export const hasResults = ({ record: { results } }: Task): boolean =>
	![results].flat().every(isEmptyPlace);

/** The progress that a record reports, in percent. */
export const percentIn = ({ progress }: IDataObject): number | undefined =>
	typeof progress === 'number' && Number.isFinite(progress) ? progress : undefined;

/**
 * The task in an object of an answer, or `undefined` if there is none. Validates only ID and status.
 * The rest is passed on as it is: refusing a paid video because its `progress` is odd would help
 * nobody.
 */
function taskWith(record: IDataObject, status: unknown = record.status): Task | undefined {
	const id = usableId(record.id);
	if (id === undefined || typeof status !== 'string' || status === '') return undefined;
	return { id, status, state: stateOf(status), record };
}

/** The task in a parsed answer, or `undefined` if it is not a task record. */
export const asTask = (reply: unknown): Task | undefined =>
	isJsonObject(reply) ? taskWith(reply) : undefined;

/** Where answers put the record, other than where the contract does. */
const WRAPPERS = ['data', 'task', 'result'];

/** The objects of a parsed answer that may be a record: the answer itself, then what it wraps. */
const placesIn = (reply: unknown): IDataObject[] =>
	isJsonObject(reply) ? [reply, ...WRAPPERS.map((name) => reply[name])].filter(isJsonObject) : [];

const tasksIn = (reply: unknown, status?: string): Task[] =>
	placesIn(reply).flatMap((place) => taskWith(place, status) ?? []);

/**
 * The task in a successful answer: the one at the top if its status is one of the contract's words,
 * otherwise the one in `data`, `task` or `result`. An envelope may have its own ID and status.
 */
const chosenTask = (tasks: Task[], reply: unknown): Task | undefined =>
	tasks.find(hasContractWord) ?? tasks.find(({ record }) => record !== reply) ?? tasks[0];

/**
 * The task that a create made, from the parsed answer (section 4.1). An ID is enough: without a
 * usable status, the task still exists and is charged for, and a read reveals more.
 */
export function createdTaskIn(reply: unknown): Task | undefined {
	const task = chosenTask(tasksIn(reply), reply);
	// Right after a create, a word such as `success` is more likely the status of the request.
	if (task && (task.state === 'unfinished' || hasContractWord(task))) return task;
	// If there is an error next to the ID, it is more likely the ID of the request.
	if (!task && reportedError(reply) !== undefined) return undefined;
	const alone = task ?? chosenTask(tasksIn(reply, NOT_GIVEN), reply);
	// Beside a task's ID under another name, it is more likely the ID of the request, too.
	return alone?.id === (idUnder(TASK_ID_NAMES, placesIn(reply)) ?? alone?.id) ? alone : undefined;
}

/** The task with this ID in a parsed answer to a read (section 4.2). */
export const readTaskIn = (reply: unknown, id: string): Task | undefined =>
	chosenTask(
		tasksIn(reply).filter((task) => task.id.trim() === id.trim()),
		reply,
	);

/** Whether a parsed answer contains the record of any task. */
export const hasRecord = (reply: unknown): boolean => tasksIn(reply).length > 0;

/** Whether a record next to an error is that of a task, judging by its status. */
const isOfTask = (task: Task): boolean =>
	hasContractWord(task) || ['cancelled', 'expired'].includes(endingOf(task.status) ?? '');

/** Other names for the ID of a task, and names that may also be those of a request. */
const TASK_ID_NAMES = ['task_id', 'taskId'];
const REQUEST_ID_NAMES = ['request_id', 'requestId'];

/** Statuses of a task under way. A request has ended when it is answered. */
const UNDER_WAY =
	/^(?:pending|queued|in_?queue|submitted|created|starting|processing|running|in_?progress)$/i;

/** The ID of a task under another name than the contract's. */
function otherIdIn(reply: unknown): string | undefined {
	const places = placesIn(reply);
	const working = places.filter(({ status, state }) =>
		[status, state].some((word) => typeof word === 'string' && UNDER_WAY.test(word)),
	);
	return idUnder(TASK_ID_NAMES, places) ?? idUnder(REQUEST_ID_NAMES, working);
}

const idUnder = (names: string[], places: IDataObject[]): string | undefined =>
	places
		.flatMap((place) => names.map((name) => usableId(place[name])))
		.find((id) => id !== undefined);

/**
 * The ID of a task that an answer names without being its record, as gateways send them: in a
 * record next to an error, or under another name.
 */
export const namedTaskIdIn = (reply: unknown): string | undefined =>
	tasksIn(reply).find(isOfTask)?.id ?? otherIdIn(reply);

/** In JSON, a quote inside a text has a backslash before it, so this is the name of a field. */
const ID_IN_TEXT =
	/"(?:task_?)?id"\s{0,9}:(?!\s{0,9}null\b)\s{0,9}"?([^\s"\\,{}[\]]{1,300})(?=[\s"\\,}\]])/i;

/** The ID in a success that cannot be parsed: cut off, too large, or nested too deeply. */
export const idInText = (body: string): string | undefined => usableId(ID_IN_TEXT.exec(body)?.[1]);

/**
 * The URLs in a record's `results`, which is a list of them (docs/internals/service-contract.md,
 * section 2.2). Also accepts objects with a `url` and a single URL, which other services send.
 */
export const resultUrls = ({ results }: IDataObject): string[] =>
	[results].flat().map(urlIn).filter(Boolean);

function urlIn(entry: unknown): string {
	const url = isJsonObject(entry) ? entry.url : entry;
	return typeof url === 'string' ? url.trim() : '';
}
