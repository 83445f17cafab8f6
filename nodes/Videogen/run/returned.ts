import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../ground/json';
import type { Timer } from '../ground/clock';
import type { TaskStore } from '../work/taskStore';
import { logTurns } from './log';

/** How long an item that gets nothing new is held up when it comes back: doubling with each time. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** From this time on, n8n's log says that it comes back. */
const MIN_WARNED_TURNS = 5;

/**
 * The error with which an item has left this node and now comes back, as it does in a workflow that
 * wires the error output back to try again.
 */
export function errorOfNode({ error }: IDataObject): { taskId?: string } | undefined {
	if (!isJsonObject(error)) return undefined;
	const { message, description, kind, taskId } = error;
	if (typeof taskId === 'string') return { taskId };
	const isOfNode = [message, description, kind].every((text) => typeof text === 'string');
	return isOfNode ? {} : undefined;
}

/** Waits when items come back for nothing: a loop without an end would otherwise spin. */
export async function holdUpReturned(
	context: Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'logger'>,
	store: TaskStore,
	output: INodeExecutionData[],
	timer: Timer,
): Promise<void> {
	const items = context
		.getInputData()
		.flatMap(({ json }, item) => (errorOfNode(json) && isInVain(output[item]) ? [item] : []));
	const turns = store.countTurn(items.length > 0);
	if (turns === 0) return;
	if (turns >= MIN_WARNED_TURNS) for (const item of items) logTurns(context, item, turns);
	const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (turns - 1), MAX_PAUSE_MS);
	await timer.until(timer.clock.now() + pauseMs);
}

/** Whether an item goes out with an error again, and not after waiting for all of its time. */
function isInVain(item: INodeExecutionData | undefined): boolean {
	const error = item?.json.error;
	return isJsonObject(error) && error.kind !== 'timeout';
}
