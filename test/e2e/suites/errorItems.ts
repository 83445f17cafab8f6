import type { OnError } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import {
	BROKEN,
	PROMPT_OF_ITEM,
	itemsOf,
	jsonOf,
	output,
	saidBy,
	status,
	waiting,
} from '../vocabulary';

const GOOD = 'completes';
/** One item for each way in which an item can miss its video although it has a task. */
const WITH_TASK = ['fails', 'is not finished in time', 'cannot be read'];
/** The same for the ways that leave no task to name. */
const WITHOUT_TASK = ['is refused', 'gets no answer', ''];
const BAD = [...WITH_TASK, ...WITHOUT_TASK];

const TEXT = { message: expect.any(String), description: expect.any(String) };

const parametersUntil = (timeoutMinutes: number) => ({
	...PROMPT_OF_ITEM,
	...waiting({ timeoutMinutes }),
});

function spoil({ sim }: Suite): void {
	sim.planTask({ prompt: 'fails', outcome: 'failed', error: BROKEN });
	sim.planTask({ prompt: 'is not finished in time', outcome: 'never' });
	const always = { times: Infinity };
	sim.script({ on: 'task', prompt: 'cannot be read', fault: status(403), ...always });
	sim.script({ on: 'create', prompt: 'is refused', fault: status(400), ...always });
	const reset = { kind: 'reset' } as const;
	sim.script({ on: 'create', prompt: 'gets no answer', fault: reset, createTask: true });
}

/** What becomes of items that do not get their video. */
export function testErrorItems(n8n: Suite): void {
	const errorOf = (prompt: string) => {
		if (WITHOUT_TASK.includes(prompt)) return { error: TEXT };
		const { id } = n8n.taskOf(prompt);
		const task = expect.objectContaining({ id, status: expect.any(String) });
		return { error: { ...TEXT, taskId: id, status: expect.any(String), task } };
	};

	/** Every kind of item in one run, which goes on whatever becomes of them. */
	const runSpoiled = async (onError: OnError) => {
		spoil(n8n);
		const parameters = parametersUntil(0.04);
		const execution = await n8n.run({ parameters, items: itemsOf([GOOD, ...BAD]), onError });
		// The empty prompt is found out before anything is sent.
		expect(n8n.sim.creates()).toHaveLength(BAD.length);
		return execution;
	};

	describe('an item without its video', () => {
		it('stays in its place, with all that is known of its task', async () => {
			const execution = await runSpoiled('continueRegularOutput');

			expect(jsonOf(execution)).toEqual([n8n.taskOf(GOOD).record(), ...BAD.map(errorOf)]);
			expect(output(execution).map(({ pairedItem }) => pairedItem)).toEqual(
				[GOOD, ...BAD].map((_prompt, item) => ({ item })),
			);
		});

		it('leaves through the error output, with all that is known of its task', async () => {
			const execution = await runSpoiled('continueErrorOutput');

			expect(jsonOf(execution, 0)).toEqual([n8n.taskOf(GOOD).record()]);
			// n8n adds what the item was made from.
			expect(jsonOf(execution, 1)).toEqual(BAD.map((prompt) => ({ prompt, ...errorOf(prompt) })));
		});

		it('stops the node, which names the task, the reason and the other tasks', async () => {
			n8n.sim.planTask({ prompt: 'goes on', outcome: 'never' });
			n8n.sim.planTask({ prompt: 'fails', outcome: 'failed', error: BROKEN });
			const execution = await n8n.run(
				{
					parameters: parametersUntil(1),
					items: itemsOf(['goes on', 'fails']),
				},
				'error',
			);
			const { id } = n8n.taskOf('fails');
			const other = n8n.taskOf('goes on').id;

			for (const known of [id, other, BROKEN.message]) expect(saidBy(execution)).toContain(known);
			expect(execution.error?.context).toMatchObject({
				itemIndex: 1,
				taskId: id,
				status: 'failed',
				otherTasks: [{ itemIndex: 0, taskId: other, status: expect.any(String) }],
			});
		});
	});
}
