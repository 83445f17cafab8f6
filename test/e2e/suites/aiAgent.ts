import type { Execution } from '../../programs/realN8n/api';
import {
	OPEN_AI_TYPE,
	TRIGGER_NODE,
	VIDEOGEN_TOOL_TYPE,
	partOf,
	to,
	triggerNode,
	type ChainNode,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { toolResultsIn, type ModelTurn } from '../../programs/realN8n/openAi';
import { modelOf } from '../model';
import { BROKEN, WRONG_KEY, jsonFrom, waiting } from '../vocabulary';

const AGENT_NODE = 'AI Agent';
/** Both run in either n8n: 2.2 calls tools itself, 3 leaves it to n8n's engine. */
const AGENT_VERSIONS = [2.2, 3];

const agentNode = (typeVersion: number): ChainNode => ({
	name: AGENT_NODE,
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion,
	parameters: { promptType: 'define', text: 'Make a video of a fox.', options: {} },
});
const MODEL: ChainNode = {
	name: 'OpenAI Chat Model',
	type: OPEN_AI_TYPE,
	// The last one that talks to /chat/completions, which every compatible service has.
	typeVersion: 1.2,
	parameters: {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		options: { maxRetries: 0 },
	},
};
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
const BAD_CALL = { prompt: 'A fox', duration: 99 };
const QUOTES_THE_RESULT: ModelTurn = { says: (results) => `Here it is: ${results.at(-1)}` };
export function testAiAgent(n8n: Suite): void {
	describe.each(AGENT_VERSIONS)('as a tool of AI Agent %s', (agentVersion) => {
		const { model, credential: openAiApi } = modelOf(n8n);

		const runAgent = async (
			turns: ModelTurn[],
			{ videogenApi = n8n.bed.credential, tool = TOOL } = {},
		): Promise<Execution> => {
			model().plan(turns);
			const workflow = n8n.chain([triggerNode(), agentNode(agentVersion), MODEL, tool], {
				credentials: { videogenApi, openAiApi: openAiApi() },
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

		n8n.itOnNewest(
			'says what is wrong with an argument, so that the next call is right',
			async () => {
				const execution = await runAgent([
					{ calls: [BAD_CALL] },
					{ calls: [GOOD_CALL] },
					QUOTES_THE_RESULT,
				]);

				const [complaint, result] = readByModel();
				for (const known of ['Duration', '99', '4 to 30']) expect(complaint).toContain(known);
				const task = n8n.onlyTask();
				expect(result).toBe(JSON.stringify([task.record()]));
				expect(answerOf(execution)).toContain(task.results()[0]);
				expect(n8n.createdBodies()).toEqual([expect.objectContaining(GOOD_CALL)]);
			},
		);

		n8n.itOnNewest(
			'goes on when the service refuses the key, and the model reads why',
			async () => {
				const videogenApi = await n8n.credential({ apiKey: WRONG_KEY });
				const turns = [{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT];
				const execution = await runAgent(turns, { videogenApi });

				const [complaint] = readByModel();
				expect(complaint).toContain('API key not accepted (401)');
				expect(answerOf(execution)).toBe(`Here it is: ${complaint}`);
				expect(JSON.stringify(model().requests)).not.toContain(WRONG_KEY);
				expect(n8n.sim.creates()).toHaveLength(1);
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

		n8n.itOnNewest(
			'makes one task when the model asks again for what was refused for its content',
			async () => {
				n8n.sim.planTask({ outcome: 'failed', error: BROKEN, times: Infinity });
				await runAgent([{ calls: [GOOD_CALL] }, { calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);

				expect(n8n.sim.tasks.size).toBe(1);
				const complaints = readByModel();
				expect(complaints).toHaveLength(2);
				for (const complaint of complaints) expect(complaint).toContain(BROKEN.message);
			},
		);

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
				await runAgent([{ calls: [GOOD_CALL, GOOD_CALL, GOOD_CALL] }, QUOTES_THE_RESULT], {
					tool: { ...TOOL, parameters },
				});

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
