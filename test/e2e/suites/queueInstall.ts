import { ONE_NODE } from '../chains';
import type { QueueBed } from '../queueBed';

const TEST_TIMEOUT_MS = 300_000;

/** The main server has the node; that is not enough. */
export function testInstall(bed: QueueBed): void {
	it(
		'needs the node in every worker: one without it creates nothing and says why',
		async () => {
			const worker = await bed.startWorker({ withNode: false });
			try {
				const workflow = await bed.publish({ chain: ONE_NODE });
				await workflow.call('A fox');
				const execution = await workflow.firstExecution();
				expect(execution.status).toBe('error');
				expect(execution.error?.message).toBe(
					'Unrecognized node type: n8n-nodes-videogen.videogen',
				);
				expect(bed.sim.requests).toEqual([]);
			} finally {
				await worker.stop();
			}
		},
		TEST_TIMEOUT_MS,
	);
}
