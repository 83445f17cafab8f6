import type { Fault } from '../../../tools/simulator';
import { sampleMp4 } from '../../../tools/simulator/sampleFiles';
import type { Suite } from '../support/suite';
import { itemsOf, jsonOf, output, PROMPT_OF_ITEM, status, waiting } from '../support/workflows';

const PAGE: Fault = { kind: 'html', status: 403 };
const WITHOUT_RESULTS = { results: undefined, result_data: undefined };

/** What happens on any day between the create and the file. */
export function testTransientFailures(n8n: Suite): void {
	describe('transient failures', () => {
		const parameters = { prompt: 'A fox', ...waiting() };
		const onRead = (fault: Fault, times = 1, skip = 0) =>
			n8n.sim.script({ on: 'task', times, skip, fault });
		const readOnce = () => n8n.sim.planTask({ finalAfterReads: 1 });

		it('one 401 and one page of a firewall among good reads end no wait', async () => {
			n8n.sim.planTask({ finalAfterReads: 3 });
			onRead(status(401), 1, 1);
			onRead(PAGE, 1, 1);
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

		it('results that come a moment after the end are waited for', async () => {
			readOnce();
			onRead({ kind: 'merge', fields: WITHOUT_RESULTS });
			const execution = await n8n.run({ parameters });
			expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.reads()).toHaveLength(2);
		});

		it('a video that never comes is an error, with its task', async () => {
			readOnce();
			onRead({ kind: 'merge', fields: WITHOUT_RESULTS }, Infinity);
			const execution = await n8n.run({
				parameters: { ...parameters, ...waiting({ timeoutMinutes: 0.05 }) },
				onError: 'continueRegularOutput',
			});
			const taskId = n8n.onlyTask().id;
			expect(jsonOf(execution)[0]?.error).toMatchObject({ kind: 'download', taskId });
		});

		n8n.itOnNewest('other words for completed are as good', async () => {
			readOnce();
			onRead({ kind: 'unknownStatus', status: 'SUCCEEDED' }, Infinity);
			const [json] = jsonOf(await n8n.run({ parameters }));
			expect(json).toEqual({ ...n8n.onlyTask().record(), status: 'SUCCEEDED' });
		});

		n8n.itOnNewest('a file that is late is fetched after another read', async () => {
			readOnce();
			n8n.sim.script({ on: 'result', fault: status(404) });
			const execution = await n8n.run({ parameters: { ...parameters, downloadResults: true } });
			expect(await n8n.fileOf(output(execution)[0])).toEqual(sampleMp4());
			expect(n8n.sim.downloads()).toHaveLength(2);
			expect(n8n.sim.reads()).toHaveLength(2);
		});

		n8n.itOnNewest('tells by what kind a create was answered', async () => {
			const noChannel = { code: -2001, message: 'No channel', data: null };
			const wrongRatio = { error: { message: 'Not supported here', param: 'aspect_ratio' } };
			const answers: Array<[Fault, kind: string]> = [
				[{ ...status(407), body: 'Proxy Authentication Required' }, 'address'],
				[{ kind: 'json', body: noChannel }, 'noAnswer'],
				[{ ...status(400), body: wrongRatio }, 'refused'],
			];
			const prompts = answers.map((_, index) => `video ${index}`);
			answers.forEach(([fault], index) =>
				n8n.sim.script({ on: 'create', prompt: prompts[index], fault }),
			);
			const execution = await n8n.run({
				parameters: { ...PROMPT_OF_ITEM, ...waiting() },
				items: itemsOf(prompts),
				onError: 'continueRegularOutput',
			});
			expect(jsonOf(execution)).toMatchObject(answers.map(([, kind]) => ({ error: { kind } })));
			expect(n8n.sim.creates()).toHaveLength(answers.length);
		});
	});
}
