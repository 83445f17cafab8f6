import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import type { Clock } from '../common/timer';
import { outputItem, resultOf } from '../items/output';
import { asTask } from '../service/task';
import { type Entry, taskIdOf } from '../tasks/entry';
import type { TaskStore } from '../tasks/taskStore';

/** What this needs of n8n. */
type RestContext = Pick<
	IExecuteFunctions,
	'getExecutionId' | 'getInputData' | 'putExecutionToWait'
>;

/** Whether there is something of an entry that only a callback brings: its end, or its files. */
export const isOpen = ({ outcome, download, task }: Entry): boolean =>
	outcome === undefined ||
	(outcome.kind === 'done' && task !== undefined && download !== undefined);

/**
 * Leaves the execution to n8n until the service calls back, unless no task is unfinished. Each
 * input item becomes what it is to be when nobody calls in time: n8n passes the input on then
 * without running the node, to the error output where that is in use.
 * @returns whether the node rests
 */
export async function rest(
	context: RestContext,
	store: TaskStore,
	entries: Entry[],
	clock: Clock,
): Promise<boolean> {
	if (entries.every(({ outcome }) => outcome)) return false;
	const timeoutsMs = entries.filter(isOpen).map(({ wait }) => wait?.timeoutMs ?? 0);
	const endsAt = clock.date() + Math.max(...timeoutsMs);
	context.getInputData().forEach((input, index) => {
		const entry = entries[index];
		if (entry === undefined) return;
		const late: Entry = isOpen(entry) ? { ...entry, outcome: { kind: 'noCallback' } } : entry;
		const { json, binary } = outputItem(resultOf(late), index);
		Object.assign(input, { json, binary });
	});
	store.rest(endsAt);
	await context.putExecutionToWait(new Date(endsAt));
	return true;
}

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
 * The entries of a rest whose execution crashed afterwards, once in each execution that retries it:
 * with the workflow as it is now, n8n runs the node on what it had put out.
 */
export function interruptedRest(context: RestContext, store: TaskStore): Entry[] | undefined {
	const entries = store.rested();
	const inputs = context.getInputData();
	const isSame =
		entries?.length === inputs.length &&
		entries.every((entry, index) => isMadeOf(entry, inputs[index]));
	return isSame ? store.resume() : undefined;
}
