import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../../nodes/Videogen/shared/json';
import { CREATE_PATH } from '../../nodes/Videogen/service/contract/limits';
import { DEFAULT_API_KEY, startSimulator, type TaskPlan } from '../../tools/simulator';
import { type RunResult, errorOf } from '../support/engine';
import { CONTINUE, ERROR_OUTPUT, type Given, statusesOf, useEngine } from '../support/useEngine';

const { simulator, clock, runNode, taskOf } = useEngine({ taskDurationMs: 12_000 });

const textVideo = (more: IDataObject = {}): IDataObject => ({
	operation: 'createTextVideo',
	prompt: 'a red fox',
	...more,
});

/** The status of each item, or of the one in its error, and the output in which it is. */
const named = (items: INodeExecutionData[] | null, output: string): string[] =>
	(items ?? []).map(({ json }) => {
		const { status } = isJsonObject(json.error) && !json.status ? json.error : json;
		return `${String(status)}:${output}`;
	});

describe('what is sent', () => {
	const least = { model: 'videogen-2.5-text-to-video', prompt: 'a red fox' };
	const always = { ...least, duration: 5, quality: '720p' };

	test.each<[string, more: IDataObject, body: IDataObject]>([
		['with nothing added, the fields that are always sent', {}, always],
		[
			'every option that was added, under its contract name',
			{
				duration: 30,
				quality: '480p',
				aspectRatio: '21:9',
				options: {
					generateAudio: false,
					contentFilter: false,
					callbackUrl: ' https://n8n.example.com/hook ',
					webSearch: true,
					modelParams: '{"seed": 7, "web_search": false}',
					maxConcurrentTasks: 3,
					resendAfterNoReply: true,
				},
			},
			{
				...least,
				duration: 30,
				quality: '480p',
				aspect_ratio: '21:9',
				generate_audio: false,
				content_filter: false,
				callback_url: 'https://n8n.example.com/hook',
				model_params: { seed: 7, web_search: true },
			},
		],
		[
			'options that were added with their defaults',
			{ options: { generateAudio: true, contentFilter: true, webSearch: false } },
			{
				...always,
				generate_audio: true,
				content_filter: true,
				model_params: { web_search: false },
			},
		],
		['no option that was cleared', { options: { callbackUrl: '', modelParams: ' ' } }, always],
	])('is %s', async (_what, more, body) => {
		await runNode({ parameters: textVideo({ ...more, waitForCompletion: false }) });
		expect(simulator.requests).toMatchObject([{ method: 'POST', path: `/${CREATE_PATH}` }]);
		expect(simulator.requests[0]?.json).toEqual(body);
	});

	test('the credential decides key, address and model family', async () => {
		const other = await startSimulator({
			pathPrefix: '/video',
			modelFamily: 'acme-3',
			now: clock.now,
		});
		const result = await runNode({
			parameters: textVideo({ waitForCompletion: false }),
			credential: {
				apiKey: ` ${DEFAULT_API_KEY}\n`,
				baseUrl: ` ${other.baseUrl}/ `,
				modelFamily: ' acme-3 ',
			},
		});
		await other.close();
		expect(result.status).toBe('success');
		expect(other.requests[0]?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
		expect(other.creates()[0]?.json).toMatchObject({ model: 'acme-3-text-to-video' });
		expect(simulator.requests).toEqual([]);
	});

	test.each([
		['makes the model', ' acme-4 ', 'acme-4-text-to-video'],
		["is the credential's when empty", '', 'acme-3-text-to-video'],
	])('Model Family in Options %s', async (_what, modelFamily, model) => {
		await runNode({
			parameters: textVideo({ options: { modelFamily }, waitForCompletion: false }),
			credential: { modelFamily: 'acme-3' },
		});
		expect(simulator.requests[0]?.json).toMatchObject({ model });
	});
});

describe('waiting', () => {
	test('returns the finished record exactly as the service gave it', async () => {
		const result = await runNode({ parameters: textVideo() });
		const task = taskOf('a red fox');
		expect(result.status).toBe('success');
		expect(result.output).toEqual([{ json: task.record(), pairedItem: { item: 0 } }]);
		expect(result.output[0]?.json.status).toBe('completed');
		expect(simulator.reads().at(-1)?.taskId).toBe(task.id);
	});

	test('Get Task reads once unless it waits', async () => {
		const { id } = simulator.addTask({});
		const parameters = { operation: 'getTask', taskId: ` ${id} ` };
		const once = await runNode({ parameters });
		expect(once.output[0]?.json).toMatchObject({ id });
		expect(simulator.reads()).toHaveLength(1);
		const waited = await runNode({
			parameters: { ...parameters, waitForCompletion: true },
		});
		expect(waited.output[0]?.json).toMatchObject({ id, status: 'completed' });
		expect(simulator.creates()).toEqual([]);
	});

	test('Get Task names a task that the service does not know, and those of other items', async () => {
		const { id } = simulator.addTask({});
		const parameters = { operation: 'getTask', taskId: '={{ $json.id }}' };
		const { context } = errorOf(await runNode({ parameters, items: [{ id }, { id: 'task_x' }] }));
		expect(context).toMatchObject({ kind: 'notFound', item: 2, taskId: 'task_x' });
		expect(context.data).toMatchObject({ otherTasks: [{ itemIndex: 0, taskId: id }] });
	});

	test.each([
		['failed', { code: 'resource_exhausted' }, 'failed'],
		['failed', { code: 'content_policy_violation' }, 'moderation'],
		['cancelled', undefined, 'cancelled'],
	] as const)(
		'Get Task ends in an error where it waits for a task that is %s with %j',
		async (status, error, kind) => {
			const { id } = simulator.addTask({ status, error });
			const read = async (waitForCompletion: boolean) =>
				await runNode({ parameters: { operation: 'getTask', taskId: id, waitForCompletion } });
			expect(errorOf(await read(true)).context).toMatchObject({ kind, taskId: id, status });
			expect((await read(false)).output).toMatchObject([{ json: { id, status } }]);
			expect(simulator.creates()).toEqual([]);
		},
	);

	test('items that ask for one task in different ways each get what they asked for', async () => {
		const { id } = simulator.addTask({});
		const result = await runNode({
			parameters: { operation: 'getTask', taskId: id, waitForCompletion: '={{ $json.waits }}' },
			items: [{ waits: false }, { waits: true }],
		});
		expect(statusesOf(result)).toEqual(['pending', 'completed']);
	});

	const policy = { code: 'content_policy_violation', message: 'The prompt was flagged' };
	const late = { timeoutMinutes: 0.5 };

	test.each<[TaskPlan, kind: string, status: string, says: RegExp]>([
		[{ outcome: 'never' }, 'timeout', 'processing', /processing/],
		[{ outcome: 'failed', error: policy }, 'moderation', 'failed', /The prompt was flagged/],
	])('a task that is %j stops the node, which says so', async (plan, kind, status, says) => {
		simulator.planTask(plan);
		const result = await runNode({ parameters: textVideo({ options: late }) });
		const { message, description, context } = errorOf(result);
		const [taskId] = [...simulator.tasks.keys()];
		expect(context).toMatchObject({ kind, item: 1, taskId, status, task: { id: taskId } });
		expect(`${message} ${description}`).toMatch(says);
	});

	test.each<[string, Given['settings'], failed: string, late: string]>([
		['stops', {}, 'error', 'error'],
		['continues', CONTINUE, 'failed:main', 'processing:main'],
		['has an error output', ERROR_OUTPUT, 'failed:error', 'processing:error'],
	])('where On Error %s, it decides', async (_, settings, ...errors) => {
		const endOf = async (plan: TaskPlan) => {
			simulator.planTask(plan);
			const parameters = textVideo({ options: late });
			const { status, data } = await runNode({ parameters, settings });
			if (status === 'error') return status;
			const [main = [], error = []] = data.resultData.runData.Videogen?.at(-1)?.data?.main ?? [];
			return [...named(main, 'main'), ...named(error, 'error')].join();
		};
		const ends = [
			await endOf({ outcome: 'failed', error: policy }),
			await endOf({ outcome: 'never' }),
		];
		expect(ends).toEqual(errors);
	});
});

describe('many items', () => {
	const perItem = textVideo({ prompt: '={{ $json.prompt }}' });
	const prompts = Array.from({ length: 12 }, (_, index) => ({ prompt: `video ${index}` }));
	const promptsOf = ({ output }: RunResult) =>
		output.map(({ json }) => simulator.tasks.get(String(json.id))?.request?.prompt);

	test('order and pairing are those of the input, whichever finishes first', async () => {
		prompts.forEach(({ prompt }, index) =>
			simulator.planTask({ prompt, durationMs: 30_000 - index * 2_000 }),
		);
		const result = await runNode({ parameters: perItem, items: prompts });
		expect(promptsOf(result)).toEqual(prompts.map(({ prompt }) => prompt));
		expect(result.output.map(({ pairedItem }) => pairedItem)).toEqual(
			prompts.map((_, item) => ({ item })),
		);
		expect(simulator.creates()).toHaveLength(prompts.length);
	});
});
