import type { IDataObject } from 'n8n-workflow';
import { CREATE_PATH } from '../../nodes/Videogen/service/contract/limits';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import type { RunResult } from './engine';
import { errorOf } from './engine';
import { statusesOf, useEngine } from './useEngine';

const { simulator, clock, runNode, taskOf } = useEngine({ taskDurationMs: 12_000 });

const textVideo = (more: IDataObject = {}): IDataObject => ({
	operation: 'createTextVideo',
	prompt: 'a red fox',
	...more,
});
const bodies = () => simulator.creates().map(({ json }) => json);

describe('what is sent', () => {
	const always = { duration: 5, quality: '720p' };

	test('text to video with nothing added has only the fields that are always sent', async () => {
		await runNode({ parameters: textVideo({ waitForCompletion: false }) });
		expect(bodies()).toEqual([
			{ model: 'videogen-2.5-text-to-video', prompt: 'a red fox', ...always },
		]);
		expect(simulator.requests[0]).toMatchObject({ method: 'POST', path: `/${CREATE_PATH}` });
		expect(simulator.requests).toHaveLength(1);
	});

	test('every option that was added is sent under its contract name', async () => {
		const options = {
			generateAudio: false,
			contentFilter: false,
			callbackUrl: ' https://n8n.example.com/hook ',
			webSearch: true,
			modelParams: '{"seed": 7, "web_search": false}',
			maxConcurrentTasks: 3,
			resendAfterNoReply: true,
		};
		await runNode({
			parameters: textVideo({
				duration: 30,
				quality: '480p',
				aspectRatio: '21:9',
				options,
				waitForCompletion: false,
			}),
		});
		expect(bodies()).toEqual([
			{
				model: 'videogen-2.5-text-to-video',
				prompt: 'a red fox',
				duration: 30,
				quality: '480p',
				aspect_ratio: '21:9',
				generate_audio: false,
				content_filter: false,
				callback_url: 'https://n8n.example.com/hook',
				model_params: { seed: 7, web_search: true },
			},
		]);
	});

	test('an option that was added with its default is sent', async () => {
		const options = { generateAudio: true, contentFilter: true, webSearch: false };
		await runNode({ parameters: textVideo({ options, waitForCompletion: false }) });
		expect(bodies()).toEqual([
			{
				model: 'videogen-2.5-text-to-video',
				prompt: 'a red fox',
				...always,
				generate_audio: true,
				content_filter: true,
				model_params: { web_search: false },
			},
		]);
	});

	test('an option that was cleared is not sent', async () => {
		const options = { callbackUrl: '', modelParams: ' ' };
		await runNode({ parameters: textVideo({ options, waitForCompletion: false }) });
		expect(bodies()).toEqual([
			{ model: 'videogen-2.5-text-to-video', prompt: 'a red fox', ...always },
		]);
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
});

test.each(['/v1', '/v1/', '/'])('a Base URL that ends with %s works', async (ending) => {
	const credential = { baseUrl: `${simulator.baseUrl}${ending}` };
	const parameters = textVideo({ waitForCompletion: false });
	expect((await runNode({ parameters, credential })).status).toBe('success');
	expect(simulator.requests.map(({ path }) => path)).toEqual([`/${CREATE_PATH}`]);
});

describe('waiting', () => {
	test('returns the finished record exactly as the service gave it', async () => {
		const result = await runNode({ parameters: textVideo() });
		const task = taskOf('a red fox');
		expect(result.status).toBe('success');
		const read = simulator.reads().at(-1);
		expect(result.output).toEqual([
			{
				json: expect.objectContaining({ id: task.id, status: 'completed' }),
				pairedItem: { item: 0 },
			},
		]);
		expect(read?.taskId).toBe(task.id);
		const record = await fetch(`${simulator.baseUrl}/v1/tasks/${task.id}`, {
			headers: { authorization: `Bearer ${DEFAULT_API_KEY}` },
		});
		expect(result.output[0]?.json).toEqual(await record.json());
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

	test('Get Task advises nothing that only creates can do', async () => {
		const { id } = simulator.addTask({});
		const parameters = { operation: 'getTask', taskId: '={{ $json.id }}' };
		const error = errorOf(await runNode({ parameters, items: [{ id }, { id: 'task_x' }] }));
		expect(error.message).toContain('Task task_x could not be read');
		expect(error.description).toContain(`Other tasks: item 0: ${id}`);
		expect(error.description).not.toContain('created again');
	});

	test('items that ask for one task in different ways each get what they asked for', async () => {
		const { id } = simulator.addTask({});
		const result = await runNode({
			parameters: { operation: 'getTask', taskId: id, waitForCompletion: '={{ $json.waits }}' },
			items: [{ waits: false }, { waits: true }],
		});
		expect(statusesOf(result)).toEqual(['pending', 'completed']);
	});

	const waitBriefly = (more: IDataObject = {}) => ({
		waitOptions: { pollIntervalSeconds: 1, timeoutMinutes: 0.1, ...more },
	});

	test('a task that is not finished in time stops the node and is named', async () => {
		simulator.planTask({ outcome: 'never' });
		const result = await runNode({ parameters: textVideo(waitBriefly()) });
		const [id] = [...simulator.tasks.keys()];
		const error = errorOf(result);
		expect(error.message).toBe(`Task ${id} was not finished in time (status: processing)`);
		expect(error.description).toContain('Timeout (Minutes)');
		expect(error.context).toMatchObject({ itemIndex: 0, taskId: id, status: 'processing' });
	});

	test('On Timeout: Return the Task gives the last record', async () => {
		simulator.planTask({ outcome: 'never' });
		const result = await runNode({
			parameters: textVideo(waitBriefly({ onTimeout: 'returnTask' })),
		});
		expect(result.status).toBe('success');
		expect(result.output[0]?.json).toMatchObject({ status: 'processing' });
	});

	test('a failed task stops the node with the words of the service and a next step', async () => {
		simulator.planTask({
			outcome: 'failed',
			error: { code: 'content_policy_violation', message: 'The prompt was flagged' },
		});
		const result = await runNode({ parameters: textVideo() });
		const [id] = [...simulator.tasks.keys()];
		const error = errorOf(result);
		expect(error.message).toBe('The service refused this video: The prompt was flagged');
		expect(error.description).toContain(`Task ${id} failed (content_policy_violation)`);
		expect(error.description).toContain('Change the prompt');
		expect(error.context).toMatchObject({ taskId: id, status: 'failed' });
	});

	test('On Failed Task: Return the Task gives the record with its error', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error', message: 'sorry' } });
		const parameters = textVideo({ waitOptions: { onFailure: 'returnTask' } });
		const result = await runNode({ parameters });
		expect(result.status).toBe('success');
		expect(result.output[0]?.json).toMatchObject({ status: 'failed', error: { message: 'sorry' } });
	});
});

describe('an ID that the service gives', () => {
	test.each([
		['a/b/1', 'a_b_1'],
		['Zm9v/YmFy+A==', 'Zm9v_YmFy+A=='],
		['50%25-1', '50_25-1'],
		['t?x=1', 't_x=1'],
		['a b#c\\d', 'a b#c_d'],
		['http:x', 'http_x'],
	])('as %j is waited for, read by Get Task, and named in files and messages', async (id, name) => {
		simulator.planTask({ id });
		simulator.planTask({ id: `${id}2`, outcome: 'failed' });
		const { output } = await runNode({ parameters: textVideo({ downloadResults: true }) });
		expect(output).toMatchObject([{ binary: { data: { fileName: `${name}.mp4` } } }]);
		const got = await runNode({
			parameters: { operation: 'getTask', taskId: '={{ $json.id }}', simplify: false },
			items: [{ id }],
		});
		expect(got.output.map(({ json }) => json)).toEqual([simulator.tasks.get(id)?.record()]);
		const failed = await runNode({ parameters: textVideo() });
		expect(errorOf(failed).description).toContain(`Task ${id}2 failed`);
		expect(simulator.tasks.size).toBe(2);
		expect(new Set(simulator.reads().map(({ taskId }) => taskId))).toEqual(new Set([id, `${id}2`]));
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

	test('no more than the set number of tasks is unfinished at once', async () => {
		const limited = await startSimulator({ now: clock.now, maxUnfinishedTasks: 3 });
		const result = await runNode({
			parameters: { ...perItem, options: { maxConcurrentTasks: 3 } },
			items: prompts,
			credential: { baseUrl: limited.baseUrl },
		});
		await limited.close();
		expect(result.status).toBe('success');
		expect(limited.creates().filter(({ status }) => status === 429)).toEqual([]);
		expect(limited.tasks.size).toBe(prompts.length);
	});

	test('of two items that read one task, each has its own On Failed Task', async () => {
		simulator.planTask({ prompt: 'bad', outcome: 'failed', durationMs: 1_000 });
		simulator.planTask({ prompt: 'endless', outcome: 'never' });
		const made = await runNode({
			parameters: { ...perItem, waitForCompletion: false },
			items: [{ prompt: 'bad' }, { prompt: 'endless' }],
		});
		const [bad, endless] = made.output.map(({ json }) => json.id);
		const startMs = clock.now();
		const result = await runNode({
			parameters: {
				operation: 'getTask',
				taskId: '={{ $json.id }}',
				waitForCompletion: true,
				waitOptions: { onFailure: '={{ $json.onFailure }}', timeoutMinutes: 60 },
			},
			items: [
				{ id: bad, onFailure: 'returnTask' },
				{ id: bad, onFailure: 'error' },
				{ id: endless, onFailure: 'error' },
			],
		});
		expect(errorOf(result).context).toMatchObject({ itemIndex: 1, taskId: bad });
		expect(clock.now() - startMs).toBeLessThan(60_000);
	});
});
