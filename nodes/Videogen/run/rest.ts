import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../ground/json';
import type { Clock } from '../ground/clock';
import { outputItem, recordOf, resultOf } from './output';
import { asTask, mayBeFilled } from '../service/task';
import type { TaskRun } from '../work/advance';
import { type Entry, isOpen, taskIdOf } from '../work/entry';
import type { Rest, TaskStore } from '../work/taskStore';

/** What this needs of n8n. */
type RestContext = Pick<IExecuteFunctions, 'getInputData' | 'putExecutionToWait'>;

/** For a callback in the last moment of the longest Timeout there is time to read and download. */
const LAST_CHECK_MS = 5_000;

/** So long before the end of a rest nothing ends it any more, because n8n goes on by itself then. */
export const END_MARGIN_MS = 5_000;

/** The tasks that were to be read when the node went to rest, in the order of its items. */
export const openTaskIds = ({ entries }: Pick<Rest, 'entries'>): string[] =>
	entries.filter(isOpen).flatMap(({ task }) => task?.id ?? []);

/** For so long a task is read again before a rest when the service cannot say how it stands. */
const BEFORE_REST_MS = 30_000;

/**
 * Reads the tasks before a rest. A callback that came before it is lost, so that a task which cannot
 * be read would be noticed at Timeout only; and while one is read again, others may finish.
 */
export async function readBeforeRest(run: TaskRun, entries: Entry[]): Promise<void> {
	await run.advance(entries, 'record', BEFORE_REST_MS);
	const others = entries.filter((entry) => !run.readErrors.has(entry));
	if (others.length < entries.length) await run.advance(others, 'record', 0);
}

/**
 * Leaves the execution to n8n until the service calls back, unless no task is unfinished. Each
 * input item becomes what it is to be when nobody calls in time: n8n passes the input on then
 * without running the node, to the error output where that is in use.
 * @returns what the node puts out while it rests; `undefined` when it does not
 */
export async function rest(
	context: RestContext,
	store: TaskStore,
	entries: Entry[],
	clock: Clock,
): Promise<INodeExecutionData[] | undefined> {
	const unfinished = entries.filter(({ outcome }) => !outcome);
	if (unfinished.length === 0) {
		// Their results may come in a moment: who stays in the node reads them again.
		for (const entry of entries) if (entry.task && mayBeFilled(entry.task)) delete entry.outcome;
		return undefined;
	}
	const timeoutsMs = entries.filter(isOpen).map(({ wait }) => wait?.timeoutMs ?? 0);
	const endsAt = clock.date() + Math.max(...timeoutsMs) + LAST_CHECK_MS + END_MARGIN_MS;
	context.getInputData().forEach((input, index) => {
		const entry = entries[index];
		if (entry === undefined) return;
		const late: Entry = isOpen(entry) ? { ...entry, outcome: { kind: 'noCallback' } } : entry;
		const { json, binary } = outputItem(resultOf(late), index);
		Object.assign(input, { json, binary });
	});
	store.rest(endsAt);
	await context.putExecutionToWait(new Date(endsAt));
	return unfinished.map(whileItRests);
}

/**
 * The record of an unfinished task. Until the rest is over, n8n answers with the first of them to
 * whoever waits for the output of the workflow; with an `error` it would run the node again.
 */
const whileItRests = (entry: Entry): INodeExecutionData => ({
	json: { ...recordOf(entry), error: undefined },
	pairedItem: { item: entry.item },
});

/** Whether an input item is what the rest, or the callback that ended it, made of this one. */
function isMadeOf(
	entry: Entry,
	{ json }: Pick<INodeExecutionData, 'json'> = { json: {} },
): boolean {
	if (!isOpen(entry)) return true;
	const { error } = json;
	const failedId = isJsonObject(error) ? error.taskId : undefined;
	return [asTask(json)?.id, failedId].includes(taskIdOf(entry));
}

/**
 * The entries of a rest whose execution crashed afterwards, on every try of a retry: with the
 * workflow as it is now, n8n runs the node on what it had put out. Its tasks are only read: a
 * request made of the output would be for another video.
 */
export function interruptedRest(context: RestContext, store: TaskStore): Entry[] | undefined {
	const entries = store.rested();
	const inputs = context.getInputData();
	const isSame =
		entries?.length === inputs.length &&
		entries.every((entry, index) => isMadeOf(entry, inputs[index]));
	return isSame ? store.resume() : undefined;
}
