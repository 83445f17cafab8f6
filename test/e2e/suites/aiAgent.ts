import { AGENT_NODE, AGENT_VERSIONS, agentWorkflow } from '../../n8n/agentWorkflow';
import type { CredentialRef, Execution } from '../../n8n/api';
import type { ModelTurn, OpenAiStandIn } from '../openAi';
import { freePort } from '../../n8n/ports';
import { DEFAULT_API_KEY } from '../../simulator';
import { OPEN_AI_KEY, startOpenAi, toolResultsIn } from '../openAi';
import { BROKEN, waiting, type Suite } from '../suite';
import { WRONG_KEY } from './secrets';

/** What the user leaves to the model, and how the model learns what it may put there. */
const PARAMETERS = {
	prompt: "={{ $fromAI('prompt', 'What the video shows', 'string') }}",
	duration: "={{ $fromAI('duration', 'Length of the video in seconds', 'number') }}",
	...waiting(),
};
const GOOD_CALL = { prompt: 'A fox', duration: 10 };
const BAD_CALL = { prompt: 'A fox', duration: 99 };
const QUOTES_THE_RESULT: ModelTurn = { says: (results) => `Here it is: ${results.at(-1)}` };

/** The node as a tool of n8n's AI Agent, whose model is a stand-in that does what it is told. */
export function testAiAgent(n8n: Suite): void {
	describe.each(AGENT_VERSIONS)('as a tool of AI Agent %s', (agentVersion) => {
		let model: OpenAiStandIn;
		let openAi: CredentialRef;

		beforeAll(async () => {
			model = await startOpenAi();
			const data = { apiKey: OPEN_AI_KEY, url: model.baseUrl };
			openAi = await n8n.api.createCredentialOfType('openAiApi', 'Model', data);
		});
		afterAll(async () => await model.close());

		const runAgent = async (
			turns: ModelTurn[],
			{ videogen = n8n.bed.credential, parameters = PARAMETERS } = {},
		): Promise<Execution> => {
			model.plan(turns);
			const execution = await n8n.execute(
				agentWorkflow({
					name: expect.getState().currentTestName ?? 'Agent',
					agentVersion,
					videogen,
					openAi,
					task: 'Make a video of a fox.',
					parameters,
				}),
			);
			expect(execution.status).toBe('success');
			expect(model.requests).toHaveLength(turns.length);
			return execution;
		};
		/** What the model had read by the time of its last turn. */
		const readByModel = (): string[] => model.requests.slice(-1).flatMap(toolResultsIn);
		const answerOf = (execution: Execution): unknown =>
			execution.output(AGENT_NODE)[0]?.json.output;

		it('generates one video and hands over where it is', async () => {
			const execution = await runAgent([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);

			expect(n8n.sim.creates().map(({ json }) => json)).toEqual([
				expect.objectContaining(GOOD_CALL),
			]);
			const task = n8n.onlyTask();
			expect(readByModel()).toEqual([JSON.stringify([task.record()])]);
			expect(answerOf(execution)).toContain(task.results()[0]);
		});

		it('tells the model which arguments it may choose, and what the tool does', async () => {
			await runAgent([{ says: () => 'No, thank you' }]);

			const [tool, ...others] = model.requests[0]?.tools ?? [];
			expect(others).toEqual([]);
			expect(tool?.function.description).toMatch(/generate videos/i);
			expect(Object.keys(tool?.function.parameters.properties ?? {})).toEqual([
				'prompt',
				'duration',
			]);
			expect(n8n.sim.requests).toEqual([]);
		});

		it('says what is wrong with an argument, so that the next call is right', async () => {
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
			expect(n8n.sim.creates().map(({ json }) => json)).toEqual([
				expect.objectContaining(GOOD_CALL),
			]);
		});

		it('says why a task failed', async () => {
			n8n.sim.planTask({ outcome: 'failed', error: BROKEN });
			await runAgent([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT]);

			const { id } = n8n.onlyTask();
			for (const known of [id, BROKEN.message, 'Reword the prompt']) {
				expect(readByModel()[0]).toContain(known);
			}
		});

		it('goes on when the service refuses the key, and the model reads why', async () => {
			const data = { apiKey: WRONG_KEY, baseUrl: n8n.sim.baseUrl };
			const videogen = await n8n.api.createCredential({ name: 'Refused', data });
			const execution = await runAgent([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT], { videogen });

			const [complaint] = readByModel();
			expect(complaint).toContain('The service did not accept the API key (401)');
			expect(answerOf(execution)).toBe(`Here it is: ${complaint}`);
			expect(JSON.stringify(model.requests)).not.toContain(WRONG_KEY);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('goes on when the service cannot be reached, and the model reads why', async () => {
			const data = { apiKey: DEFAULT_API_KEY, baseUrl: `http://127.0.0.1:${await freePort()}` };
			const videogen = await n8n.api.createCredential({ name: 'Unreachable', data });
			const parameters = { ...PARAMETERS, ...waiting({ timeoutMinutes: 0.02 }) };
			const wanted = { videogen, parameters };
			const execution = await runAgent([{ calls: [GOOD_CALL] }, QUOTES_THE_RESULT], wanted);

			const [complaint] = readByModel();
			expect(complaint).toContain('The service could not be reached');
			expect(answerOf(execution)).toBe(`Here it is: ${complaint}`);
		});

		it('makes a video for each call of one turn, although they ask for the same', async () => {
			await runAgent([{ calls: [GOOD_CALL, GOOD_CALL] }, QUOTES_THE_RESULT]);

			const records = [...n8n.sim.tasks.values()].map((task) => JSON.stringify([task.record()]));
			expect(records).toHaveLength(2);
			expect(readByModel().sort()).toEqual(records.sort());
		});
	});
}
