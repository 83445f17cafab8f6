import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SavedWorkflow } from '../../programs/realN8n/api';
import {
	OPEN_AI_TYPE,
	VIDEOGEN_TOOL_TYPE,
	partOf,
	videogenNode,
	webhookNode,
	type ChainNode,
	type NewWorkflow,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { modelOf } from '../model';
import { STANDING_STILL, waiting } from '../vocabulary';

const chunkSchema = z.object({ type: z.string(), content: z.string().optional() });

const AGENT: ChainNode = {
	name: 'AI Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 3,
	parameters: { promptType: 'define', text: 'Make a video of a fox.', options: {} },
};
const MODEL: ChainNode = {
	name: 'OpenAI Chat Model',
	type: OPEN_AI_TYPE,
	typeVersion: 1.2,
	parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: { maxRetries: 0 } },
};

/** Webhook → Create Text Video, with the answer streamed while it runs. */
export function testStreaming(n8n: Suite): void {
	describe('a streamed answer', () => {
		const { model, credential: openAiApi } = modelOf(n8n);

		/** Publishes the workflow and calls it. */
		const call = async (options: Record<string, unknown>, responseMode?: string) =>
			await callNodes(
				[videogenNode({ parameters: { prompt: 'A fox', ...waiting(options) } })],
				{},
				responseMode,
			);

		/** The first of the nodes runs after the webhook; the connections are those of its parts. */
		async function callNodes(
			nodes: ChainNode[],
			connections: NewWorkflow['connections'],
			responseMode = 'streaming',
		) {
			const urlPath = randomUUID();
			const webhook = webhookNode(urlPath);
			const parameters = { ...webhook.parameters, responseMode };
			const credentials = { videogenApi: n8n.bed.credential, openAiApi: openAiApi() };
			const chain = n8n.chain([{ ...webhook, parameters }, ...nodes], { credentials });
			const saved = await n8n.api.createWorkflow({
				...chain,
				connections: { ...chain.connections, ...connections },
			});
			await n8n.api.publish(saved);
			const hangUp = new AbortController();
			const response = await n8n.api.answerOfWebhook(urlPath, {}, hangUp.signal);
			return { saved, response, hangUp };
		}

		const executionOf = async (saved: SavedWorkflow) =>
			await n8n.ended(await n8n.api.firstExecutionOf(saved));

		/** What a person reads, a line for each. */
		const linesIn = (answer: string): string[] =>
			answer
				.split('\n')
				.filter((line) => line.startsWith('{'))
				.map((line) => chunkSchema.parse(JSON.parse(line)))
				.flatMap(({ type, content = '' }) => (type === 'item' ? content.trim().split(/\n+/) : []));

		it('says how far the video is while it is made, and at last that it is finished', async () => {
			n8n.sim.planTask(STANDING_STILL);
			const { saved, response } = await call({});
			let answer = '';
			for await (const chunk of textIn(response)) {
				answer += chunk;
				if (answer.includes('is being made') && n8n.onlyTask().status() !== 'completed') {
					n8n.sim.finish(n8n.onlyTask().id);
				}
			}
			const lines = linesIn(answer);
			expect(lines[0]).toMatch(/^Your video is being made/);
			expect(lines.slice(-2)).toEqual(['Your video is finished.', n8n.onlyTask().results()[0]]);
			expect(lines.length).toBeLessThan(6);
			const execution = await executionOf(saved);
			expect(execution.raw).not.toContain('is being made');
			expect(n8n.tasks()).toHaveLength(1);
		});

		it('of an agent says what its tool does, in the lines of the tool', async () => {
			model().plan([{ calls: [{ prompt: 'A fox' }] }, { says: () => 'Here it is' }]);
			const prompt = "={{ $fromAI('prompt', 'What the video shows', 'string') }}";
			const tool = {
				...videogenNode({ parameters: { prompt, ...waiting() } }),
				type: VIDEOGEN_TOOL_TYPE,
			};
			const { response } = await callNodes([AGENT, MODEL, tool], {
				[AGENT.name]: {},
				[MODEL.name]: partOf(AGENT.name, 'ai_languageModel'),
				[tool.name]: partOf(AGENT.name, 'ai_tool'),
			});
			const answer = await response.text();
			expect(answer).toContain('Your video is finished.');
			expect(answer).toContain('Here it is');
			expect(n8n.tasks()).toHaveLength(1);
		});

		it.each([
			['is switched off', { streamProgress: false }, 'streaming'],
			['comes at the end', {}, 'lastNode'],
		])('has no lines where it %s', async (_what, options, responseMode) => {
			const { saved, response } = await call(options, responseMode);
			expect(await response.text()).not.toContain('video is');
			await executionOf(saved);
		});

		it('that nobody waits for any more changes nothing for the run', async () => {
			n8n.sim.planTask(STANDING_STILL);
			const { saved, response, hangUp } = await call({});
			await textIn(response).next();
			await n8n.sim.waitForRequest(({ route }) => route === 'task');
			hangUp.abort();
			n8n.sim.finish(n8n.onlyTask().id);
			const execution = await executionOf(saved);
			expect(execution.status).toBe('success');
			expect(n8n.tasks()).toHaveLength(1);
		});
	});
}

async function* textIn({ body }: Response): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true });
}
