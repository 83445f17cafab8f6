import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import type { Timer } from '../common/timer';
import type { Entry } from '../tasks/entry';
import { logTurns } from './log';

/** How long an item that gets nothing new is held up when it comes back: doubling with each time. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** From this time on, n8n's log says that it comes back. */
const MIN_WARNED_TURNS = 5;

/** How an item ends for which nothing new was made. */
const NOTHING_NEW = ['notSent', 'notCreated', 'notRead', 'failed'];

/**
 * The error with which an item has left this node and now comes back, as it does in a workflow that
 * wires the error output back to try again.
 */
export function errorOfNode({ error }: IDataObject): { taskId?: string } | undefined {
	if (!isJsonObject(error)) return undefined;
	const { message, description, kind, taskId } = error;
	const isOfNode = [message, description, kind].every((text) => typeof text === 'string');
	return isOfNode ? { taskId: typeof taskId === 'string' ? taskId : undefined } : undefined;
}

/** Waits when items come back and get nothing new: a loop without an end would otherwise spin. */
export async function holdUpReturned(
	context: Pick<IExecuteFunctions, 'getNode' | 'logger' | 'getInputData'>,
	entries: Entry[],
	timer: Timer,
): Promise<void> {
	const turnsOf = ({ outcome, turns = 0 }: Entry) =>
		outcome && NOTHING_NEW.includes(outcome.kind) ? turns : 0;
	const mostTurns = Math.max(0, ...entries.map(turnsOf));
	if (mostTurns === 0) return;
	for (const entry of entries) {
		if (turnsOf(entry) >= MIN_WARNED_TURNS) logTurns(context, entry.item, turnsOf(entry));
	}
	const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (mostTurns - 1), MAX_PAUSE_MS);
	await timer.until(timer.clock.now() + pauseMs);
}
