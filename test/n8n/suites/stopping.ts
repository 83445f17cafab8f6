/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Daemon } from '../../../tools/n8n/daemon';
import type { Suite } from '../support/suite';
import { POLL_INTERVAL_SECONDS, PROMPT_OF_ITEM, itemsOf, waiting } from '../support/workflows';

const IN_FLIGHT = 4;
/** Absence has no event: several poll intervals have to pass without a request. */
const SILENCE_MS = POLL_INTERVAL_SECONDS * 3_000;

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
	for (const taskId of sim.tasks.keys()) await process.waitForLog(new RegExp(taskId));
	const sent = sim.requests.length;
	await delay(SILENCE_MS);
	expect(sim.requests).toHaveLength(sent);
}

/** A person stops an execution while tasks are in flight. */
export function testStopping(n8n: Suite): void {
	it('stopping an execution ends polls and creates, and leaves the tasks in the log', async () => {
		const { sim } = n8n;
		sim.planTask({ outcome: 'never', times: IN_FLIGHT });
		// The last ones are still trying to get in when the execution is stopped.
		const busy = { kind: 'status', status: 429, retryAfter: 1 } as const;
		sim.script({ on: 'create', skip: IN_FLIGHT, times: Infinity, fault: busy });
		const prompts = Array.from({ length: IN_FLIGHT + 2 }, (_, index) => `number ${index}`);
		const parameters = { ...PROMPT_OF_ITEM, ...waiting() };
		const id = await n8n.start(n8n.workflow({ parameters, items: itemsOf(prompts) }));
		const isInFlight = () => sim.reads().length >= 2 * IN_FLIGHT;
		await sim.waitForRequest(isInFlight);

		await expectSilenceAfterStop(n8n, id, n8n.environment);
		expect(sim.tasks.size).toBe(IN_FLIGHT);
	});
}
