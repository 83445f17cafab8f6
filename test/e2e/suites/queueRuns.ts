import { fetchOf } from '../../n8n/fileWorkflow';
import type { Worker } from '../../n8n/queue';
import type { ChainNode } from '../../n8n/webhookWorkflow';
import { VIDEOGEN_NODE, videogenWorkflow } from '../../n8n/workflows';
import { startFileHost } from '../../support/fileHost';
import { samplePng, sha256Of } from '../../support/sampleFiles';
import { CREATE_NODE, ONE_NODE } from '../chains';
import type { QueueBed } from '../queueBed';
import { waiting } from '../suite';

const TEST_TIMEOUT_MS = 300_000;

const FROM_PICTURE: ChainNode = {
	name: CREATE_NODE,
	parameters: {
		operation: 'createImageVideo',
		prompt: 'A fox',
		imageSource: 'binary',
		...waiting(),
	},
};

/** What people also do with n8n; in queue mode, a worker does it. */
export function testRuns(bed: QueueBed, workers: () => Worker[]): void {
	describe('a worker', () => {
		beforeEach(() => bed.sim.reset());

		it(
			'hands out a picture by a link that the service can open',
			async () => {
				const host = await startFileHost();
				try {
					const body = samplePng();
					const url = host.serve('/first.png', { body, contentType: 'image/png' });
					const workflow = await bed.publish({ chain: [fetchOf('data', url), FROM_PICTURE] });
					await workflow.call('A fox');
					expect((await workflow.firstExecution()).status).toBe('success');
					await bed.sim.waitForMedia(1);
					expect(bed.sim.media).toMatchObject([
						{ field: 'image_urls', outcome: 'fetched', sha256: sha256Of(body) },
					]);
					const [link] = bed.sim.media.map((media) => media.url);
					expect(link).toContain(`${bed.api.baseUrl}/`);
				} finally {
					await host.close();
				}
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'finds the task again when an execution is retried',
			async () => {
				const { api, sim } = bed;
				sim.script({ on: 'task', fault: { kind: 'status', status: 403 } });
				const workflow = await bed.publish({ chain: ONE_NODE });
				await workflow.call('A fox');
				const stopped = await workflow.firstExecution();
				expect(stopped.status).toBe('error');

				const retried = await api.retryExecution(stopped.id);
				expect(retried.status).toBe('success');
				const records = [...sim.tasks.values()].map((task) => task.record());
				expect(retried.output(CREATE_NODE).map(({ json }) => json)).toEqual(records);
				expect(sim.creates()).toHaveLength(1);
				expect(await begunBy(workers())).toEqual(expect.arrayContaining([stopped.id, retried.id]));
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'does what a person runs by hand',
			async () => {
				const { api, credential, sim } = bed;
				const parameters = { prompt: 'A fox', ...waiting() };
				const workflow = videogenWorkflow({ name: 'By hand', credential, parameters });
				const execution = await api.execute(workflow);
				expect(execution.status).toBe('success');
				expect(execution.output(VIDEOGEN_NODE)).toHaveLength(1);
				expect(sim.creates()).toHaveLength(1);
				expect(await begunBy(workers())).toContain(execution.id);
			},
			TEST_TIMEOUT_MS,
		);
	});
}

async function begunBy(workers: Worker[]): Promise<string[]> {
	return (await Promise.all(workers.map(async (worker) => await worker.begun()))).flat();
}
