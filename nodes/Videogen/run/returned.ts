import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Timer } from '../ground/clock';
import { isJsonObject } from '../ground/json';
import { nthOf } from '../ground/words';

/** How long the node waits when an item comes back for nothing: a loop would otherwise spin. */
const PAUSE_MS = 5_000;

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

/** Waits when items come back for nothing, and says so in the log. */
export async function slowDownReturned(
	context: Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'logger'>,
	output: INodeExecutionData[],
	timer: Timer,
): Promise<void> {
	const inputs = context.getInputData();
	const index = inputs.findIndex(({ json }, item) => errorOfNode(json) && isInVain(output[item]));
	if (index < 0) return;
	const { name } = context.getNode();
	context.logger.warn(
		`The node “${name}” has nothing new for ${nthOf(index, inputs.length)}, which came back with its error. If this repeats, check the loop.`,
	);
	await timer.until(timer.clock.now() + PAUSE_MS);
}

/** Whether an item goes out with an error again, and not after waiting for all of its time. */
function isInVain(item: INodeExecutionData | undefined): boolean {
	const error = item?.json.error;
	return isJsonObject(error) && error.kind !== 'timeout';
}
