import { pollUntil } from '../../programs/realN8n/poll';
import type { QueueSuite } from '../beds/suite';
import { ONE_NODE } from '../vocabulary';

const WHY = 'Unrecognized node type: n8n-nodes-videogen-tasks.videogen';
const SAID_TIMEOUT_MS = 60_000;

/** The main server has the node; that is not enough. */
export function testInstall(n8n: QueueSuite): void {
	it('needs the node in every worker: one without it creates nothing and says why', async () => {
		const worker = await n8n.bed.startWorker({ withNode: false });
		try {
			const workflow = await n8n.publish(ONE_NODE);
			await workflow.call('A fox');
			// Not the execution: n8n drops a failed job at once, and never ends the execution when that
			// comes before its main process listens.
			const hasSaidWhy = async () => (await worker.log()).includes(WHY) || undefined;
			await pollUntil(hasSaidWhy, { what: 'the worker to say why', timeoutMs: SAID_TIMEOUT_MS });
			expect(n8n.sim.requests).toEqual([]);
		} finally {
			await worker.stop();
		}
	});
}
