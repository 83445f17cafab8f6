import type { Execution } from '../../programs/realN8n/api';
import {
	TRIGGER_NODE,
	VIDEOGEN_TOOL_TYPE,
	partOf,
	to,
	triggerNode,
	type ChainNode,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { toolResultsIn, type ModelTurn } from '../../programs/realN8n/openAi';
import { AGENT_NODE, MODEL, agentNode, modelOf } from '../model';
import { jsonFrom, waiting } from '../vocabulary';

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
const QUOTES_THE_RESULT: ModelTurn = { says: (results) => `Here it is: ${results.at(-1)}` };
export function testAiAgent(n8n: Suite): void {
	describe.each(AGENT_VERSIONS)('as a tool of AI Agent %s', (agentVersion) => {
		const { model, credential: openAiApi } = modelOf(n8n);

		const runAgent = async (turns: ModelTurn[], tool = TOOL): Promise<Execution> => {
			model().plan(turns);
			const workflow = n8n.chain([triggerNode(), agentNode(agentVersion), MODEL, tool], {
				credentials: { videogenApi: n8n.bed.credential, openAiApi: openAiApi() },
			});
			const execution = await n8n.execute({ ...workflow, connections: CONNECTIONS });
			expect(model().requests).toHaveLength(turns.length);
			return execution;
		};
		/** What the model had read by the time of its last turn. */
		const readByModel = (): string[] => model().requests.slice(-1).flatMap(toolResultsIn);
		const answerOf = (execution: Execution) => jsonFrom(execution, AGENT_NODE)[0]?.output;

		it('generates one video and hands over where it is', async () => {
			const execution = await runAgent([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);

			expect(n8n.createdBodies()).toEqual([expect.objectContaining(GOOD_CALL)]);
			const task = n8n.onlyTask();
			expect(readByModel()).toEqual([JSON.stringify([task.record()])]);
			expect(answerOf(execution)).toContain(task.results()[0]);
		});

		n8n.itOnNewest(
			'tells the model which arguments it may choose, and what the tool does',
			async () => {
				await runAgent([{ says: () => 'No, thank you' }]);

				const [tool, ...others] = model().requests[0]?.tools ?? [];
				expect(others).toEqual([]);
				expect(tool?.function.description).toMatch(/generate videos/i);
				expect(Object.keys(tool?.function.parameters.properties ?? {})).toEqual([
					'prompt',
					'duration',
				]);
				expect(n8n.sim.requests).toEqual([]);
			},
		);

		it('gives the video that exists when the model asks again for what it has got', async () => {
			const turns = [{ calls: [GOOD_CALL] }, { calls: [GOOD_CALL] }, QUOTES_THE_RESULT];
			await runAgent(turns);

			const record = n8n.onlyTask().record();
			const note = { note: expect.stringContaining('use another prompt') };
			const read = readByModel().map((result): unknown => JSON.parse(result));
			expect(read).toEqual([[record], [record, note]]);
		});

		it.each(['Retry On Fail of the agent', 'Retry of a person'])(
			'gives the video that exists when the model broke off after it: %s',
			async (retry) => {
				const isUnattended = retry.startsWith('Retry On Fail');
				const agent = {
					...agentNode(agentVersion),
					...(isUnattended && { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }),
				};
				// The second turn is one that the stand-in refuses.
				model().plan([
					{ calls: [GOOD_CALL] },
					{ breaks: 'The model is overloaded' },
					{ calls: [GOOD_CALL] },
					QUOTES_THE_RESULT,
				]);
				const workflow = n8n.chain([triggerNode(), agent, MODEL, TOOL], {
					credentials: { videogenApi: n8n.bed.credential, openAiApi: openAiApi() },
				});
				const asked = { ...workflow, connections: CONNECTIONS };
				if (isUnattended) await n8n.execute(asked);
				else await n8n.retry(await n8n.execute(asked, 'error'));
				expect(model().requests).toHaveLength(4);
				expect(n8n.onlyTask().prompt).toBe(GOOD_CALL.prompt);
			},
		);

		n8n.itOnNewest(
			'makes no more videos than Max New Videos, however many calls come side by side',
			async () => {
				const parameters = { ...TOOL.parameters, options: { maxNewTasks: 1 } };
				const turns = [{ calls: [GOOD_CALL, GOOD_CALL, GOOD_CALL] }, QUOTES_THE_RESULT];
				await runAgent(turns, { ...TOOL, parameters });

				const record = JSON.stringify([n8n.onlyTask().record()]);
				const complaints = readByModel().filter((result) => result !== record);
				expect(complaints).toHaveLength(2);
				const refused = 'Max New Videos per Execution is 1';
				expect(complaints.filter((text) => text.includes(refused))).toHaveLength(2);
			},
		);

		it('makes a video for each call of one turn, although they ask for the same', async () => {
			await runAgent([{ calls: [GOOD_CALL, GOOD_CALL] }, QUOTES_THE_RESULT]);

			const records = n8n.tasks().map((task) => JSON.stringify([task.record()]));
			expect(records).toHaveLength(2);
			expect(readByModel().sort()).toEqual(records.sort());
		});
	});
}
