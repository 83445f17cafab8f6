import type { TaskPlan } from '../../../tools/simulator';
import type { Suite } from '../support/suite';
import {
	GET_NODE,
	ONE_NODE,
	PROMPT_OF_ITEM,
	createWaitGet,
	jsonFrom,
	promptNodes,
	untilPolled,
} from '../support/workflows';

/** What rests must leave: there are no more places for executions. */
export const TWO_PLACES = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };
/** n8n keeps an execution that waits for less than 65 seconds in its memory. */
const LIMIT_SECONDS = 66;
const PROMPTS = ['first', 'second', 'third'];
const NEVER = { outcome: 'never' } as const;

/** Calls a workflow that creates three videos and rests in n8n's Wait node; resolves when it does. */
async function rest(n8n: Suite, plan: TaskPlan, limitSeconds?: number) {
	n8n.sim.planTask({ ...plan, times: PROMPTS.length });
	const nodes = [...promptNodes(PROMPTS), ...createWaitGet(PROMPT_OF_ITEM, limitSeconds)];
	const workflow = await n8n.publish(nodes);
	await workflow.call('');
	await workflow.untilFirstIs('waiting');
	expect(n8n.sim.reads()).toEqual([]);
	return workflow;
}
type Rest = Awaited<ReturnType<typeof rest>>;

/** Three videos, three creates, one execution. */
async function expectAll(n8n: Suite, workflow: Rest) {
	const execution = await workflow.firstExecution();
	expect(jsonFrom(execution, GET_NODE)).toEqual(n8n.recordsOf(PROMPTS));
	for (const task of n8n.tasks()) expect(task.record()).toMatchObject({ status: 'completed' });
	expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
	expect(await workflow.executionIds()).toHaveLength(1);
}

/** *Create → Wait → Get Task*: while n8n's Wait node rests, only the service works. */
export function testWait(n8n: Suite): void {
	let uncalled: { stage: Suite; workflow: Rest };
	// Its time is up while the other tests run.
	beforeAll(async () => {
		const stage = await n8n.aside();
		uncalled = { stage, workflow: await rest(stage, { loseCallback: true }, LIMIT_SECONDS) };
	});

	it('believes no early call, which only ends the rest; meanwhile its place was free', async () => {
		const workflow = await rest(n8n, NEVER);
		await rest(await n8n.aside(), NEVER);
		const meanwhile = await (await n8n.aside()).publish(ONE_NODE);
		await meanwhile.call('meanwhile');
		await meanwhile.firstExecution();

		const { id } = n8n.taskOf('second');
		const results = ['https://e.com/forged.mp4'];
		const forged = { id, status: 'completed', results };
		expect(await n8n.sim.forgeCallback(id, forged)).toBe(200);
		await untilPolled(n8n, PROMPTS.length);
		for (const task of n8n.tasks()) n8n.sim.finish(task.id);
		await expectAll(n8n, workflow);
	});

	it('goes on when its time is up and nobody has called', async () => {
		const { stage, workflow } = uncalled;
		await expectAll(stage, workflow);
		expect(stage.sim.callbacks.filter(({ delivered }) => delivered)).toEqual([]);
	});
}
