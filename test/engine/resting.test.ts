import { CONTINUE, idsOf, status, useEngine } from './useEngine';

const { simulator, run, taskOf } = useEngine();

const REST = { options: { waitMethod: 'callback', timeoutMinutes: 5 } };

describe('resting until the service calls back', () => {
	test('is refused to an agent’s tool, before anything is sent', async () => {
		const settings = { ...CONTINUE, type: 'n8n-nodes-videogen-tasks.videogenTool' };
		const result = await run(['one'], { more: REST, settings });
		expect(result.output[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/^Wait Method: .*tool cannot rest\.$/),
		});
		expect(simulator.requests).toEqual([]);
	});

	test('leaves the execution waiting, with the record of its task meanwhile', async () => {
		const result = await run(['one'], { more: REST, settings: CONTINUE });
		const { id } = taskOf('one');
		expect(result.status).toBe('waiting');
		expect(result.output).toEqual([
			{ json: expect.objectContaining({ id }), pairedItem: { item: 0 } },
		]);
		expect(simulator.creates()).toMatchObject([
			{ json: { callback_url: expect.stringMatching(/webhook-waiting\/\w+\/videogen/) } },
		]);
	});

	test('begins all the same when the service cannot say it', async () => {
		simulator.script({ on: 'task', fault: status(503), times: 3 });
		const result = await run(['one'], { more: REST, settings: CONTINUE });
		expect(result.status).toBe('waiting');
		expect(simulator.reads(taskOf('one').id)).toHaveLength(3);
	});

	test('is no use for a task of an earlier try, which is waited for in the node', async () => {
		simulator.planTask({ prompt: 'one', durationMs: 90_000 });
		simulator.script({ on: 'create', prompt: 'two', fault: status(400) });
		const first = await run(['one', 'two']);
		expect(first.status).toBe('error');

		const second = await run(['one', 'two'], { more: REST, settings: CONTINUE, retryOf: first });
		expect(second.status).toBe('success');
		expect(idsOf(second)).toEqual([taskOf('one').id, taskOf('two').id]);
		expect(simulator.creates()).toHaveLength(3);
		expect(
			simulator.creates().filter(({ json }) => JSON.stringify(json).includes('callback')),
		).toEqual([]);
	});
});
