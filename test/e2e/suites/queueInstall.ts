import type { QueueSuite } from '../beds/suite';
import { ONE_NODE } from '../vocabulary';

/** The main server has the node; that is not enough. */
export function testInstall(n8n: QueueSuite): void {
	it('needs the node in every worker: one without it creates nothing and says why', async () => {
		const worker = await n8n.bed.startWorker({ withNode: false });
		try {
			const execution = await n8n.runPublished(ONE_NODE, 'error');
			expect(execution.error?.message).toBe(
				'Unrecognized node type: n8n-nodes-videogen-tasks.videogen',
			);
			expect(n8n.sim.requests).toEqual([]);
		} finally {
			await worker.stop();
		}
	});
}
