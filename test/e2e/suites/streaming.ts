import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SavedWorkflow } from '../../n8n/api';
import { videogenNode, webhookNode } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { STANDING_STILL, waiting } from '../vocabulary';

const chunkSchema = z.object({ type: z.string(), content: z.string().optional() });

/** Webhook → Create Text Video, with the answer streamed while it runs. */
export function testStreaming(n8n: Suite): void {
	describe('a streamed answer', () => {
		/** Publishes the workflow and calls it. */
		async function call(options: Record<string, unknown>, responseMode = 'streaming') {
			const urlPath = randomUUID();
			const webhook = webhookNode(urlPath);
			const create = videogenNode({ parameters: { prompt: 'A fox', ...waiting(options) } });
			const parameters = { ...webhook.parameters, responseMode };
			const saved = await n8n.api.createWorkflow(n8n.chain([{ ...webhook, parameters }, create]));
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
				.flatMap(({ type, content = '' }) => (type === 'item' ? [content.trim()] : []));

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
			expect(lines.at(-1)).toBe('Your video is finished.');
			expect(lines.length).toBeLessThan(6);
			const execution = await executionOf(saved);
			expect(execution.raw).not.toContain('is being made');
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
