import { randomUUID } from 'node:crypto';
import type { Execution, SavedWorkflow } from '../../programs/realN8n/api';
import { pollUntil } from '../../programs/realN8n/poll';
import {
	requestNode,
	to,
	triggerNode,
	videogenNode,
	webhookNode,
	type ChainNode,
} from '../../programs/realN8n/workflows';
import { Desk } from '../desk';
import { samplePng } from '../../programs/support/sampleFiles';
import { served, type Suite } from '../beds/suite';
import {
	isPolled,
	itemsOf,
	jsonOf,
	PROMPT_OF_ITEM,
	SHORT_WAIT,
	STARTED_TIMEOUT_MS,
	waiting,
} from '../vocabulary';

const BEFORE = 'Items';
const AFTER = 'Later';
const CALLED = 'Called';

/** Writes the prompt of each item, and a field that is not sent. */
const itemsNode = (prompt: string, note: string): ChainNode => ({
	name: BEFORE,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: Object.entries({ prompt, note }).map(([name, value]) => ({
				...{ id: name, name, value },
				type: 'string',
			})),
		},
		options: {},
	},
});
const AS_IT_COMES = '={{ $json.prompt ?? $json.body.prompt }}';

/** What a webhook can start, too. */
class CalledDesk extends Desk {
	private constructor(
		n8n: Suite,
		saved: SavedWorkflow,
		private readonly urlPath: string,
	) {
		super(n8n, saved);
	}

	static async open(n8n: Suite, prompts: string[], parameters = waiting()): Promise<CalledDesk> {
		const urlPath = randomUUID();
		const create = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...parameters } });
		const later = requestNode(AFTER, served(n8n.sim, 'later.png', samplePng()), 'data');
		const nodes = [triggerNode(), itemsNode(AS_IT_COMES, 'first'), create, later];
		const chain = n8n.chain(nodes, { items: itemsOf(prompts) });
		chain.nodes.push({ ...webhookNode(urlPath), id: CALLED, name: CALLED, position: [0, 200] });
		chain.connections[CALLED] = to(BEFORE);
		return new CalledDesk(n8n, await n8n.api.createWorkflow(chain), urlPath);
	}

	/** Changes a node, and saves. */
	async change({ name, parameters }: Pick<ChainNode, 'name' | 'parameters'>): Promise<void> {
		const { nodes } = this.saved;
		await this.save(nodes.map((node) => (node.name === name ? { ...node, parameters } : node)));
	}

	/** Publishes it as it is now, and calls it; in production nobody is at the editor. */
	async call(prompt: string, ends?: Execution['status']): Promise<Execution> {
		const { api } = this.n8n;
		const before = await api.executionsOf(this.saved);
		await api.publish(this.saved);
		await api.callWebhook(this.urlPath, { prompt });
		const isNew = async () =>
			(await api.executionsOf(this.saved)).find((id) => !before.includes(id));
		const id = await pollUntil(isNew, { what: 'the execution', timeoutMs: STARTED_TIMEOUT_MS });
		const ended = await this.n8n.ended(id, ends);
		await api.unpublish(this.saved);
		return ended;
	}
}

/** In the editor, what is paid is not paid again. */
export function testReuse(n8n: Suite): void {
	describe('in the editor', () => {
		const idsOf = (execution: Execution) => jsonOf(execution).map(({ id }) => id);
		const ordered = () =>
			n8n
				.tasks()
				.map(({ prompt }) => prompt)
				.sort();
		const never = (times: number) => n8n.sim.planTask({ outcome: 'never', times });
		const finishAll = () => n8n.tasks().forEach(({ id }) => n8n.sim.finish(id));
		const expectTaken = (second: Execution, first: Execution) =>
			expect(second.raw).toContain(`taken from execution ${first.id} (`);

		it('a second click orders nothing: equal items keep their two tasks, and a hint says so', async () => {
			const desk = await CalledDesk.open(n8n, ['fox', 'fox', 'owl']);
			const first = await desk.execute();
			const second = await desk.execute();
			expect(idsOf(second)).toEqual(idsOf(first));
			expect(new Set(idsOf(second)).size).toBe(3);
			expect(n8n.sim.creates()).toHaveLength(3);
			expectTaken(second, first);
		});

		it('stopped while waiting and run again at once: the same videos come', async () => {
			never(2);
			const desk = await CalledDesk.open(n8n, ['fox', 'owl']);
			const stopped = await desk.start();
			const allPolled = () =>
				n8n.sim.tasks.size === 2 && n8n.tasks().every((task) => isPolled(n8n.sim, task));
			await n8n.sim.waitForRequest(allPolled, STARTED_TIMEOUT_MS);
			await n8n.api.stopExecution(stopped);
			const again = await desk.start();
			finishAll();
			expect(jsonOf(await n8n.ended(again))).toEqual(n8n.recordsOf(['fox', 'owl']));
			expect(n8n.sim.creates()).toHaveLength(2);
		});

		it('a later node fails: it is mended, then a node before changed; Execute step orders nothing', async () => {
			const desk = await CalledDesk.open(n8n, ['fox', 'owl']);
			const good = requestNode(AFTER, served(n8n.sim, 'later.png', samplePng()), 'data');
			await desk.change(requestNode(AFTER, `${n8n.sim.baseUrl}/no-such-page`));
			const failed = await desk.execute('error');
			await desk.change(good);
			const mended = await desk.step(AFTER, failed);
			expect(mended.output(AFTER)).toHaveLength(2);
			await desk.change(itemsNode(AS_IT_COMES, 'second'));
			const again = await desk.step(AFTER, mended);
			expect(again.output(BEFORE)).toMatchObject(Array(2).fill({ json: { note: 'second' } }));
			expect(idsOf(again)).toEqual(idsOf(failed));
			expect(n8n.sim.creates()).toHaveLength(2);
		});

		it('takes the task of a failed production execution, which itself orders again', async () => {
			never(1);
			const desk = await CalledDesk.open(n8n, ['fox'], SHORT_WAIT);
			const failed = await desk.call('fox', 'error');
			finishAll();
			const taken = await desk.execute();
			expect(jsonOf(taken)).toEqual(n8n.recordsOf(['fox']));
			expectTaken(taken, failed);
			await desk.change(videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting() } }));
			expect(idsOf(await desk.call('fox'))).not.toEqual(idsOf(taken));
			expect(ordered()).toEqual(['fox', 'fox']);
		});
	});
}
