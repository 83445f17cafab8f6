import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OnError } from '../../programs/realN8n/workflows';
import { tableRows } from '../../programs/support/markdown';
import type { Suite } from '../beds/suite';
import {
	BROKEN,
	LOST,
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
const WITH_TASK: Record<string, string> = {
	fails: 'failed',
	'is refused after a while': 'moderation',
	'is cancelled': 'cancelled',
	'is made too late': 'expired',
	'is not finished in time': 'timeout',
	'cannot be read': 'key',
	'is not found any more': 'notFound',
	'has no file': 'download',
};
/** The same for the ways that leave no task to name. */
const WITHOUT_TASK: Record<string, string> = {
	'is refused': 'refused',
	'costs too much': 'balance',
	'is sent to another place': 'address',
	'meets a server error': 'serviceError',
	'gets no answer': 'noAnswer',
	'': 'invalid',
};
const KINDS: Record<string, string> = { ...WITH_TASK, ...WITHOUT_TASK };
const BAD = Object.keys(KINDS);
/** For all items together: what makes the node stop for each. */
const OF_ALL = { limit: { options: { maxNewTasks: 1 } }, rateLimited: {} };

const REFERENCE = path.resolve(__dirname, '../../../docs/reference.md');

const TEXT = { message: expect.any(String), description: expect.any(String) };

const parametersUntil = (timeoutMinutes: number) => ({
	...PROMPT_OF_ITEM,
	...waiting({ timeoutMinutes, maxNewTasks: BAD.length + 1 }),
});

function spoil({ sim }: Suite): void {
	sim.planTask({ prompt: 'fails', outcome: 'failed', error: { message: 'Out of capacity' } });
	sim.planTask({ prompt: 'is refused after a while', outcome: 'failed', error: BROKEN });
	sim.planTask({ prompt: 'is cancelled', outcome: 'cancelled' });
	sim.planTask({ prompt: 'is made too late', outcome: 'expired' });
	sim.planTask({ prompt: 'is not finished in time', outcome: 'never' });
	sim.planTask({ prompt: 'has no file', results: [`${sim.origin}/nothing.mp4`] });
	const answers: Array<[on: 'create' | 'task', prompt: string, code: number]> = [
		['task', 'cannot be read', 403],
		['task', 'is not found any more', 410],
		['create', 'is refused', 400],
		['create', 'costs too much', 402],
		['create', 'is sent to another place', 404],
		['create', 'meets a server error', 503],
	];
	for (const [on, prompt, code] of answers) {
		sim.script({ on, prompt, times: Infinity, fault: status(code) });
	}
	sim.script({ ...LOST, prompt: 'gets no answer' });
}

/** What becomes of items that do not get their video. */
export function testErrorItems(n8n: Suite): void {
	const errorOf = (prompt: string) => {
		const error = { ...TEXT, kind: KINDS[prompt] };
		if (!(prompt in WITH_TASK)) return { error };
		const { id } = n8n.taskOf(prompt);
		const task = expect.objectContaining({ id, status: expect.any(String) });
		return { error: { ...error, taskId: id, status: expect.any(String), task } };
	};

	/** Every kind of item in one run, which goes on whatever becomes of them. */
	const runSpoiled = async (onError: OnError) => {
		spoil(n8n);
		const parameters = { ...parametersUntil(0.04), downloadResults: true };
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
				kind: 'moderation',
				itemIndex: 1,
				taskId: id,
				status: 'failed',
				otherTasks: [{ itemIndex: 0, taskId: other, status: expect.any(String) }],
			});
		});

		it('is of one of the kinds that the reference lists, and of all of them together', () => {
			const rows = tableRows(readFileSync(REFERENCE, 'utf8'));
			const listed = rows.flatMap(({ Kind }) => Kind?.replaceAll('`', '') ?? []);
			expect([...Object.values(KINDS), ...Object.keys(OF_ALL)].sort()).toEqual(listed.sort());
		});

		it.each(Object.entries(OF_ALL))(
			'stops the node for a reason of the kind %s',
			async (kind, more) => {
				n8n.sim.script({ on: 'create', times: Infinity, fault: status(429) });
				const parameters = { ...parametersUntil(0.04), ...more };
				const execution = await n8n.run({ parameters, items: itemsOf(['one', 'two']) }, 'error');
				expect(execution.error?.context).toMatchObject({ kind });
			},
		);
	});
}
