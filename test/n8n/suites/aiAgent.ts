import { z } from 'zod';
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
		...waiting(),
		simplify: false,
	},
};
const CONNECTIONS = {
	[TRIGGER_NODE]: to(AGENT_NODE),
	[MODEL.name]: partOf(AGENT_NODE, 'ai_languageModel'),
	[TOOL.name]: partOf(AGENT_NODE, 'ai_tool'),
};

const GOOD_CALL = { prompt: 'A fox', duration: 10 };
const OTHER_CALL = { ...GOOD_CALL, prompt: 'An owl' };
const THIRD_CALL = { ...GOOD_CALL, prompt: 'A bee' };
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
		const AGENT: ChainNode = {
			name: AGENT_NODE,
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion,
			parameters: { promptType: 'define', text: 'Make a video of a fox.', options: {} },
		};
		const workflowOf = ({ agent = AGENT, tool = TOOL } = {}) => {
			const credentials = { videogenApi: n8n.environment.credential, openAiApi };
			const chain = n8n.chain([triggerNode(), agent, MODEL, tool], { credentials });
			return { ...chain, connections: CONNECTIONS };
		};
		/** What the model had read by the time of its last turn. */
		const readByModel = (): string[] => model.requests.slice(-1).flatMap(toolResultsIn);

		it('makes one video and gives it again when the model asks for what it has got', async () => {
			model.plan([{ calls: [GOOD_CALL] }, { calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);
			const execution = await n8n.execute(workflowOf());

			expect(n8n.createdBodies()).toEqual([expect.objectContaining(GOOD_CALL)]);
			const task = n8n.onlyTask();
			const records = readByModel().map((result) => itemsSchema.parse(JSON.parse(result))[0]);
			expect(records).toEqual([task.record(), task.record()]);
			expect(jsonFrom(execution, AGENT_NODE)[0]?.output).toContain(task.results()[0]);
		});

		it.each(['Retry On Fail of the agent', 'Retry of a person'])(
			'gives the video that exists when the model broke off after it: %s',
			async (retry) => {
				model.plan([
					{ calls: [GOOD_CALL] },
					{ breaks: 'The model is overloaded' },
					{ calls: [GOOD_CALL] },
					QUOTES_THE_RESULT,
				]);
				if (retry === 'Retry of a person') {
					await n8n.retry(await n8n.execute(workflowOf(), 'error'));
				} else {
					const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
					await n8n.execute(workflowOf({ agent: { ...AGENT, ...again } }));
				}
				expect(model.requests).toHaveLength(4);
				expect(n8n.onlyTask().prompt).toBe(GOOD_CALL.prompt);
			},
		);

		n8n.itOnNewest(
			'makes one video of equal calls of one turn, and one for each other',
			async () => {
				model.plan([{ calls: [GOOD_CALL, GOOD_CALL, OTHER_CALL] }, QUOTES_THE_RESULT]);
				await n8n.execute(workflowOf());
				const tasks = n8n.tasks();
				expect(tasks.map(({ prompt }) => prompt).sort()).toEqual(
					[GOOD_CALL.prompt, OTHER_CALL.prompt].sort(),
				);
				const read = readByModel().flatMap((result) =>
					tasks.filter(({ id }) => result.includes(id)).map(({ prompt }) => prompt),
				);
				expect(read.sort()).toEqual([GOOD_CALL.prompt, GOOD_CALL.prompt, OTHER_CALL.prompt].sort());
			},
		);

		n8n.itOnNewest(
			'makes no more than the limit of new videos for calls side by side',
			async () => {
				model.plan([{ calls: [GOOD_CALL, OTHER_CALL, THIRD_CALL] }, QUOTES_THE_RESULT]);
				const parameters = { ...TOOL.parameters, ...waiting({ maxNewTasks: 1 }) };
				await n8n.execute(workflowOf({ tool: { ...TOOL, parameters } }));

				const record = JSON.stringify([n8n.onlyTask().record()]);
				const refused = expect.stringContaining("'Max New Videos per Run' is 1");
				expect(readByModel()).toHaveLength(3);
				expect(readByModel().filter((result) => result !== record)).toEqual([refused, refused]);
			},
		);

		n8n.itOnNewest('gives the record of a video that is not ready in time', async () => {
			n8n.sim.planTask({ outcome: 'never' });
			model.plan([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);
			const parameters = { ...TOOL.parameters, ...waiting({ timeoutMinutes: 0.05 }) };
			await n8n.execute(workflowOf({ tool: { ...TOOL, parameters } }));
			const { id } = n8n.onlyTask();
			const [read] = readByModel().map((result) => itemsSchema.parse(JSON.parse(result)));
			expect(read).toMatchObject([{ id, status: expect.stringMatching(/pending|processing/) }]);
		});
	});
}
