import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../common/json';
import type { ItemResult, ItemState } from '../items/result';
import { outputItem } from '../items/result';
import { waitSettingsSchema } from '../parameters/wait';

/** Under this name n8n's node context says what the node rests for; saved with the execution. */
export const REST_KEY = 'videogenRest';

/** So long after its create a task is read once more, because its callback may come too early. */
export const LEAVE_AFTER_MS = 1_000;

/** An item while the node rests: a task that is still to be read, or what the item has become. */
const restingItemSchema = z.union([
	z.object({
		taskId: z.string(),
		wait: waitSettingsSchema,
		download: z.object({ binaryProperty: z.string() }).optional(),
	}),
	z.object({ result: z.custom<ItemResult>(isJsonObject) }),
]);
const restSchema = z.object({ executionId: z.string(), items: z.array(restingItemSchema) });
export type RestingItem = z.infer<typeof restingItemSchema>;

/** Whether an item has a task that was unfinished when the node went to rest. */
export const isOpen = (item: RestingItem) => 'taskId' in item;

/** What was saved when the node went to rest; `undefined` when it never did. */
export const restIn = (saved: unknown) => restSchema.safeParse(saved).data;

/** An item goes on from a rest like one that reads a task which exists. */
export const resumedItem = (item: RestingItem): ItemState =>
	isOpen(item)
		? { plan: { ...item, intent: { kind: 'read', taskId: item.taskId }, download: item.download } }
		: item;

/**
 * Leaves the execution to n8n until the service calls back, unless no task is unfinished. Each
 * input item becomes what it is to be when nobody calls in time: n8n passes the input on then
 * without running the node, to the error output where that is in use.
 * @returns whether the node rests
 */
export async function rest(context: IExecuteFunctions, items: ItemState[]): Promise<boolean> {
	const resting = items.map(({ outcome, plan, result }): RestingItem =>
		outcome?.kind === 'timedOut' && plan?.wait
			? { taskId: outcome.taskId, wait: plan.wait, download: plan.download }
			: { result: result ?? { json: {} } },
	);
	const timeoutsMs = resting.filter(isOpen).map(({ wait }) => wait.plan.timeoutMs);
	if (timeoutsMs.length === 0) return false;
	const executionId = context.getExecutionId();
	context.getContext('node')[REST_KEY] = { executionId, items: resting };
	context.getInputData().forEach((input, index) => {
		const { json, binary } = outputItem(items[index]?.result, index);
		Object.assign(input, { json, binary });
	});
	await context.putExecutionToWait(new Date(Date.now() + Math.max(...timeoutsMs)));
	return true;
}

/**
 * The items of a rest that ended in a crash, and that is retried in another execution: the input
 * is what `rest` made of it.
 */
export function interruptedRest(context: IExecuteFunctions): ItemState[] | undefined {
	const saved = restIn(context.getContext('node')[REST_KEY]);
	const inputs = context.getInputData();
	if (saved?.items.length !== inputs.length) return undefined;
	const isOwn = (item: RestingItem, index: number) =>
		!isOpen(item) || JSON.stringify(inputs[index]?.json).includes(item.taskId);
	const isRetried = saved.executionId !== context.getExecutionId() && saved.items.every(isOwn);
	return isRetried ? saved.items.map(resumedItem) : undefined;
}
