import { setTimeout as delay } from 'node:timers/promises';
import type { Daemon } from '../programs/realN8n/daemon';
import type { Suite } from './beds/suite';
import { POLL_INTERVAL_SECONDS } from './vocabulary';

/** Absence has no event: several poll intervals have to pass without a request. */
const SILENCE_MS = POLL_INTERVAL_SECONDS * 3_000;

/**
 * The node's last word on a task when it is stopped. The id alone would not do: every task that is
 * created is logged.
 */
const lastWordOn = (taskId: string): RegExp =>
	new RegExp(`The execution was stopped\\.[^]*Or use Get Task[^]*${taskId}`);

/** What the log says of a task whose create was under way when the execution was stopped. */
export const createdLate = (taskId: string): RegExp =>
	new RegExp(`Task ${taskId} was created .* while the execution was being stopped.*Get Task`);

/**
 * Stops an execution. Fails unless its process then leaves all tasks in its log, which is where
 * they can still be found (n8n keeps no error of a stopped node), and sends nothing more.
 */
export async function expectSilenceAfterStop(
	n8n: Suite,
	id: string,
	process: Pick<Daemon, 'waitForLog'>,
) {
	const { api, sim } = n8n;
	await api.stopExecution(id);
	await n8n.ended(id, 'canceled');
	for (const taskId of sim.tasks.keys()) await process.waitForLog(lastWordOn(taskId));
	const sent = sim.requests.length;
	await delay(SILENCE_MS);
	expect(sim.requests).toHaveLength(sent);
}
