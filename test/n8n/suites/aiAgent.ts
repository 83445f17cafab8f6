import { z } from 'zod';
import { LABELS } from '../../../nodes/Videogen/shared/messages';
import type { CredentialRef } from '../../../tools/n8n/api';
import { toolResultsIn, type ModelTurn, type OpenAiStandIn } from '../../../tools/n8n/openAi';
import {
	TRIGGER_NODE,
	VIDEOGEN_TOOL_TYPE,
	partOf,
	to,
	triggerNode,
	type ChainNode,
} from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { MODEL, startModel } from '../support/model';
import { jsonFrom, waiting } from '../support/workflows';

const AGENT_NODE = 'AI Agent';
/** Both run in either n8n: 2.2 calls tools itself, 3 leaves it to n8n's engine. */
const AGENT_VERSIONS = [2.2, 3];

const TOOL: ChainNode = {
	name: 'Generate Video',
	type: VIDEOGEN_TOOL_TYPE,
	typeVersion: 1,
	// What the user leaves to the model, and how the model learns what it may put there.
	parameters: {
		prompt: "={{ $fromAI('prompt', 'What the video shows', 'string') }}",
		duration: "={{ $fromAI('duration', 'Length of the video in seconds', 'number') }}",
		...waiting({ maxNewTasks: 2 }),
		simplify: false,
	},
};
const CONNECTIONS = {
	[TRIGGER_NODE]: to(AGENT_NODE),
	[MODEL.name]: partOf(AGENT_NODE, 'ai_languageModel'),
	[TOOL.name]: partOf(AGENT_NODE, 'ai_tool'),
};

const FOX = { prompt: 'A fox', duration: 10 };
const OWL = { ...FOX, prompt: 'An owl' };
const BEE = { ...FOX, prompt: 'A bee' };
/** What a tool answers with: the JSON of its items. */
const itemsSchema = z.array(z.unknown());

const QUOTES_THE_RESULT: ModelTurn = { says: (results) => `Here it is: ${results.at(-1)}` };

export function testAiAgent(n8n: Suite): void {
	let model: OpenAiStandIn;
	let openAiApi: CredentialRef;
	beforeAll(async () => {
		({ model, credential: openAiApi } = await startModel(n8n));
	});

	describe.each(AGENT_VERSIONS)('as a tool of AI Agent %s', (typeVersion) => {
		const workflow = (retryOnFail = false) => {
			const agent: ChainNode = {
				name: AGENT_NODE,
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion,
				parameters: { promptType: 'define', text: 'Make a video of a fox.', options: {} },
				...(retryOnFail && { retryOnFail, maxTries: 2, waitBetweenTries: 0 }),
			};
			const credentials = { videogenApi: n8n.environment.credential, openAiApi };
			const chain = n8n.chain([triggerNode(), agent, MODEL, TOOL], { credentials });
			return { ...chain, connections: CONNECTIONS };
		};
		/** What the model had read by the time of its last turn. */
		const readByModel = (): string[] => model.requests.slice(-1).flatMap(toolResultsIn);

		it('makes one video and gives it again when the model asks for what it has got', async () => {
			model.plan([{ calls: [FOX] }, { calls: [FOX] }, QUOTES_THE_RESULT]);
			const execution = await n8n.execute(workflow());

			expect(n8n.createdBodies()).toEqual([expect.objectContaining(FOX)]);
			const task = n8n.onlyTask();
			const records = readByModel().map((result) => itemsSchema.parse(JSON.parse(result))[0]);
			expect(records).toEqual([task.record(), task.record()]);
			expect(jsonFrom(execution, AGENT_NODE)[0]?.output).toContain(task.results()[0]);
		});

		it('makes one video of equal calls side by side, and no more than the limit', async () => {
			model.plan([{ calls: [FOX, FOX, OWL, BEE] }, QUOTES_THE_RESULT]);
			await n8n.execute(workflow());
			const created = n8n.tasks();
			expect(new Set(created.map(({ prompt }) => prompt)).size).toBe(2);
			expect(created).toHaveLength(2);
			const refused = readByModel().filter((result) =>
				result.includes(`'${LABELS.maxNewTasks}' is 2`),
			);
			const answered = readByModel().filter((result) =>
				created.some((task) => result === JSON.stringify([task.record()])),
			);
			expect(refused.length + answered.length).toBe(4);
		});

		it.each(['Retry On Fail of the agent', 'Retry of a person'])(
			'gives the video that exists when the model broke off after it: %s',
			async (retry) => {
				const breaks: ModelTurn = { breaks: 'The model is overloaded' };
				model.plan([{ calls: [FOX] }, breaks, { calls: [FOX] }, QUOTES_THE_RESULT]);
				if (retry === 'Retry of a person') {
					await n8n.retry(await n8n.execute(workflow(), 'error'));
				} else {
					await n8n.execute(workflow(true));
				}
				expect(model.requests).toHaveLength(4);
				expect(n8n.onlyTask().prompt).toBe(FOX.prompt);
			},
		);
	});
}
