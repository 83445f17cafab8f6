import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../common/json';
import type { Clock } from '../common/timer';
import { type ItemResult, type ItemState, outputItem, resultOf } from '../items/result';
import { noCallbackMessage } from '../messages/outcomeMessage';
import { downloadSettingsSchema } from '../parameters/download';
import { waitSettingsSchema } from '../parameters/wait';
import { asTask } from '../service/task';
import { taskOf } from '../tasks/job';

/** What this needs of n8n. */
type RestContext = Pick<
	IExecuteFunctions,
	'getContext' | 'getExecutionId' | 'getInputData' | 'putExecutionToWait'
>;

/** Under this name n8n's node context says what the node rests for; saved with the execution. */
export const REST_KEY = 'videogenRest';

/** An item while the node rests: a task that is still to be read, or what the item has become. */
const restingItemSchema = z.union([
	z.object({
		taskId: z.string(),
		wait: waitSettingsSchema,
		download: downloadSettingsSchema.optional(),
	}),
	z.object({ result: z.custom<ItemResult>(isJsonObject) }),
]);
type RestingItem = z.infer<typeof restingItemSchema>;

const restSchema = z.object({
	executionId: z.string(),
	/** Milliseconds since 1970. */
	untilMs: z.number(),
	items: z.array(restingItemSchema),
	/** Of the node, by which a retry tells this rest from those of other rounds of a loop. */
	runIndex: z.number(),
});
export type Rest = z.infer<typeof restSchema>;

/** What was saved when the node went to rest; `undefined` when it never did. */
export const restIn = (saved: unknown): Rest | undefined => restSchema.safeParse(saved).data;

/** Whether an item has a task that was to be read when the node went to rest. */
export const isOpen = (item: RestingItem) => 'taskId' in item;

/** An item goes on from a rest like one that reads a task which exists. */
export const resumedItem = (item: RestingItem): ItemState =>
	isOpen(item)
		? { plan: { ...item, intent: { kind: 'read', taskId: item.taskId }, download: item.download } }
		: item;

/** What an item rests with, and what it is to be when nobody calls in time. */
function restingItem({ plan, outcome, result }: ItemState): [RestingItem, ItemResult] {
	const { wait, download } = plan ?? {};
	const task = taskOf(outcome);
	const isLeft = outcome?.kind === 'timedOut' || (outcome?.kind === 'done' && download);
	if (!isLeft || !task || !wait) {
		const ended = result ?? { json: {} };
		return [{ result: ended }, ended];
	}
	const late = resultOf({ plan, outcome: { kind: 'timedOut', taskId: task.id, task } });
	const item = { taskId: task.id, wait, download };
	if (!('error' in late)) return [item, late];
	return [item, { error: { ...late.error, ...noCallbackMessage(task) } }];
}

/**
 * Leaves the execution to n8n until the service calls back, unless no task is unfinished. Each
 * input item becomes what it is to be when nobody calls in time: n8n passes the input on then
 * without running the node, to the error output where that is in use.
 * @returns whether the node rests
 */
export async function rest(
	context: RestContext,
	states: ItemState[],
	{ clock, runIndex }: { clock: Clock; runIndex: number },
): Promise<boolean> {
	if (!states.some(({ outcome }) => outcome?.kind === 'timedOut')) return false;
	const resting = states.map(restingItem);
	const items = resting.map(([item]) => item);
	const timeoutsMs = items.filter(isOpen).map(({ wait }) => wait.plan.timeoutMs);
	const untilMs = clock.date() + Math.max(...timeoutsMs);
	context.getInputData().forEach((input, index) => {
		const { json, binary } = outputItem(resting[index]?.[1], index);
		Object.assign(input, { json, binary });
	});
	const executionId = context.getExecutionId();
	const saved: Rest = { executionId, untilMs, items, runIndex };
	context.getContext('node')[REST_KEY] = saved;
	await context.putExecutionToWait(new Date(untilMs));
	return true;
}

/** Whether an input item is what the rest, or the callback that ended it, made of this one. */
function isMadeOf(
	item: RestingItem,
	{ json }: Pick<INodeExecutionData, 'json'> = { json: {} },
): boolean {
	if (!isOpen(item)) return true;
	const { error } = json;
	const failedId = isJsonObject(error) ? error.taskId : undefined;
	return [asTask(json)?.id, failedId].includes(item.taskId);
}

/**
 * The items of a rest whose execution crashed afterwards, once in each execution that retries it:
 * with the workflow as it is now, n8n runs the node on what it had put out.
 */
export function interruptedRest(context: RestContext, runIndex: number): ItemState[] | undefined {
	const nodeContext = context.getContext('node');
	const saved = restIn(nodeContext[REST_KEY]);
	const executionId = context.getExecutionId();
	const inputs = context.getInputData();
	const isSame =
		saved?.runIndex === runIndex &&
		saved.items.length === inputs.length &&
		saved.items.every((item, index) => isMadeOf(item, inputs[index]));
	if (!saved || !isSame || saved.executionId === executionId) return undefined;
	nodeContext[REST_KEY] = { ...saved, executionId };
	return saved.items.map(resumedItem);
}
