import { POLL_INTERVAL_SECONDS } from './suite';

/** Absence has no event: several poll intervals have to pass without a request. */
export const SILENCE_MS = POLL_INTERVAL_SECONDS * 3_000;

/** n8n may take seconds to pass a stop on; a node that ignores it asks once a second for good. */
export const STOP_BOUND_MS = 15_000;

/**
 * The node's last word on a task when it is stopped. The id alone would not do: every task that is
 * created is logged.
 */
export const lastWordOn = (taskId: string): RegExp =>
	new RegExp(`The execution was stopped\\. Tasks of this run[^]*${taskId}`);

/** What the log says of a task whose create was under way when the execution was stopped. */
export const createdLate = (taskId: string): RegExp =>
	new RegExp(`Task ${taskId} was created .* while the execution was being stopped.*Get Task`);
