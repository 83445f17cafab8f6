import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
	VIDEOGEN_TOOL_TYPE,
	partOf,
	videogenNode,
	webhookNode,
	type ChainNode,
	type NewWorkflow,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { AGENT_NODE, MODEL, agentNode, modelOf } from '../model';
import { STANDING_STILL, waiting } from '../vocabulary';

const chunkSchema = z.object({ type: z.string(), content: z.string().optional() });

/** Webhook → Create Text Video, with the answer streamed while it runs. */
export function testStreaming(n8n: Suite): void {
	describe('a streamed answer', () => {
		const { model, credential: openAiApi } = modelOf(n8n);

		/** Calls a published workflow; the connections are those of the parts of an agent. */
		async function call(nodes: ChainNode[], connections: NewWorkflow['connections'] = {}) {
			const urlPath = randomUUID();
			const webhook = webhookNode(urlPath);
			const parameters = { ...webhook.parameters, responseMode: 'streaming' };
			const credentials = { videogenApi: n8n.bed.credential, openAiApi: openAiApi() };
			const chain = n8n.chain([{ ...webhook, parameters }, ...nodes], { credentials });
			const saved = await n8n.api.createWorkflow({
				...chain,
				connections: { ...chain.connections, ...connections },
			});
			await n8n.api.publish(saved);
			return { saved, response: await n8n.api.answerOfWebhook(urlPath, {}) };
		}

		/** What a person reads, a line for each. */
		const linesIn = (answer: string): string[] =>
			answer
				.split('\n')
				.filter((line) => line.startsWith('{'))
				.map((line) => chunkSchema.parse(JSON.parse(line)))
				.flatMap(({ type, content = '' }) => (type === 'item' ? content.trim().split(/\n+/) : []));

		it('says how far the video is while it is made, and at last that it is finished', async () => {
			n8n.sim.planTask(STANDING_STILL);
			const node = videogenNode({ parameters: { prompt: 'A fox', ...waiting() } });
			const { saved, response } = await call([node]);
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
			const execution = await n8n.ended(await n8n.api.firstExecutionOf(saved));
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
			const { response } = await call([agentNode(3), MODEL, tool], {
				[AGENT_NODE]: {},
				[MODEL.name]: partOf(AGENT_NODE, 'ai_languageModel'),
				[tool.name]: partOf(AGENT_NODE, 'ai_tool'),
			});
			const answer = await response.text();
			expect(answer).toContain('Your video is finished.');
			expect(answer).toContain('Here it is');
			expect(n8n.tasks()).toHaveLength(1);
		});
	});
}

async function* textIn({ body }: Response): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true });
}
