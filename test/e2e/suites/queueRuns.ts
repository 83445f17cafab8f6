import { requestNode, videogenNode } from '../../programs/realN8n/workflows';
import { samplePng, sha256Of } from '../../programs/support/sampleFiles';
import type { Worker } from '../beds/queueBed';
import { served, type QueueSuite } from '../beds/suite';
import { CREATE_NODE, FROM_FILE, ONE_NODE, jsonFrom, status, waiting } from '../vocabulary';

/** What people also do with n8n; in queue mode, a worker does it. */
export function testRuns(n8n: QueueSuite, workers: () => Worker[]): void {
	describe('a worker', () => {
		beforeEach(() => n8n.sim.reset());

		it('hands out an image by a link that the service can open', async () => {
			const { api, sim } = n8n;
			const body = samplePng();
			await n8n.runPublished([
				requestNode('Fetch', served(sim, 'first.png', body), 'data'),
				videogenNode({ parameters: { ...FROM_FILE, ...waiting() } }),
			]);
			await sim.waitForMedia(1);
			expect(sim.media).toMatchObject([
				{
					field: 'image_urls',
					outcome: 'fetched',
					sha256: sha256Of(body),
					url: expect.stringContaining(`${api.baseUrl}/`),
				},
			]);
		});

		it('finds the task again when an execution is retried', async () => {
			n8n.sim.script({ on: 'task', fault: status(403) });
			const stopped = await n8n.runPublished(ONE_NODE, 'error');

			const retried = await n8n.retry(stopped);
			expect(jsonFrom(retried, CREATE_NODE)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(await begunBy(workers())).toEqual(expect.arrayContaining([stopped.id, retried.id]));
		});
	});
}

async function begunBy(workers: Worker[]): Promise<string[]> {
	return (await Promise.all(workers.map(async (worker) => await worker.begun()))).flat();
}
