import { sampleMp4 } from '../../../tools/simulator/sampleFiles';
import type { Suite } from '../support/suite';
import { itemsOf, jsonOf, output, PROMPT_OF_ITEM, status, waiting } from '../support/workflows';

/** What happens on any day between the create and the file. */
export function testTransientFailures(n8n: Suite): void {
	describe('transient failures', () => {
		const parameters = { prompt: 'A fox', ...waiting() };

		it('one 401 and one page of a firewall among good reads end no wait', async () => {
			n8n.sim.planTask({ finalAfterReads: 3 });
			for (const fault of [status(401), { kind: 'html', status: 403 } as const]) {
				n8n.sim.script({ on: 'task', skip: 1, fault });
			}
			const execution = await n8n.run({ parameters });
			const faults = n8n.sim.reads().map(({ fault }) => fault);
			expect(faults).toEqual([undefined, 'status', 'html', undefined, undefined]);
			expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
		});

		it('one 401 to a create ends the create of that item alone', async () => {
			const prompts = ['first', 'second', 'third'];
			n8n.sim.script({ on: 'create', prompt: 'second', fault: status(401) });
			const execution = await n8n.run({
				parameters: { ...PROMPT_OF_ITEM, ...waiting({ maxConcurrentTasks: 1 }) },
				items: itemsOf(prompts),
				onError: 'continueRegularOutput',
			});
			const [first, third] = n8n.recordsOf(['first', 'third']);
			const error = expect.objectContaining({ kind: 'key' });
			expect(jsonOf(execution)).toEqual([first, { error }, third]);
		});

		it('a file that is late is fetched after another read', async () => {
			n8n.sim.planTask({ finalAfterReads: 1 });
			n8n.sim.script({ on: 'result', fault: status(404) });
			const execution = await n8n.run({ parameters: { ...parameters, downloadResults: true } });
			expect(await n8n.fileOf(output(execution)[0])).toEqual(sampleMp4());
			expect(n8n.sim.downloads()).toHaveLength(2);
			expect(n8n.sim.reads()).toHaveLength(2);
		});
	});
}
