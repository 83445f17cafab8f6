import type { IDataObject } from 'n8n-workflow';
import { CREATE_PATH } from '../../nodes/Videogen/service/contract/limits';
import { DEFAULT_API_KEY, startSimulator, type TaskPlan } from '../../tools/simulator';
import { errorOf } from '../support/engine';
import { CONTINUE, ERROR_OUTPUT, type Given, NO_WAIT, useEngine } from '../support/useEngine';

const { simulator, clock, runNode } = useEngine({ taskDurationMs: 12_000 });

const textVideo = (more: IDataObject = {}): IDataObject => ({
	operation: 'createTextVideo',
	prompt: 'a red fox',
	...more,
});

describe('what is sent', () => {
	const least = { model: 'videogen-2.5-text-to-video', prompt: 'a red fox' };
	const noSearch = { web_search: false };
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
			{ ...always, generate_audio: true, content_filter: true, model_params: noSearch },
		],
	])('is %s', async (_what, more, body) => {
		await runNode({ parameters: textVideo({ ...more, ...NO_WAIT }) });
		expect(simulator.requests).toMatchObject([{ method: 'POST', path: `/${CREATE_PATH}` }]);
		expect(simulator.requests[0]?.json).toEqual(body);
	});

	test('the credential decides key, address and model family', async () => {
		const service = { pathPrefix: '/video', modelFamily: 'acme-3', now: clock.now };
		const other = await startSimulator(service);
		const account = { apiKey: ` ${DEFAULT_API_KEY}\n`, baseUrl: ` ${other.baseUrl}/ ` };
		const credential = { ...account, modelFamily: ' acme-3 ' };
		const result = await runNode({ parameters: textVideo(NO_WAIT), credential });
		await other.close();
		expect(result.status).toBe('success');
		expect(other.requests[0]?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
		expect(other.creates()[0]?.json).toMatchObject({ model: 'acme-3-text-to-video' });
		expect(simulator.requests).toEqual([]);
	});

	test.each([
		[' acme-4 ', 'acme-3', 'acme-4-text-to-video'],
		['', 'acme-3', 'acme-3-text-to-video'],
		['', ' ', 'videogen-2.5-text-to-video'],
	])('with Model Family %j, and %j in the credential, is for %s', async (own, other, model) => {
		const parameters = textVideo({ options: { modelFamily: own }, ...NO_WAIT });
		await runNode({ parameters, credential: { modelFamily: other } });
		expect(simulator.requests[0]?.json).toMatchObject({ model });
	});
});

describe('waiting', () => {
	test('Get Task names a task that the service does not know, and those of other items', async () => {
		const { id } = simulator.addTask({});
		const parameters = { operation: 'getTask', taskId: '={{ $json.id }}' };
		const { context } = errorOf(await runNode({ parameters, items: [{ id }, { id: 'task_x' }] }));
		expect(context).toMatchObject({ kind: 'notFound', item: 2, taskId: 'task_x' });
		expect(context.data).toMatchObject({ otherTasks: [{ itemIndex: 0, taskId: id }] });
	});

	const policy = { code: 'content_policy_violation', message: 'The prompt was flagged' };
	const late = { timeoutMinutes: 0.5 };

	test.each<[TaskPlan, kind: string, status: string, says: string]>([
		[{ outcome: 'never' }, 'timeout', 'processing', 'processing'],
		[{ outcome: 'failed', error: policy }, 'moderation', 'failed', policy.message],
	])(
		'a task that is %j: On Error decides, and the error says so',
		async (plan, kind, status, says) => {
			const ended = async (settings: Given['settings']) => {
				simulator.reset();
				simulator.planTask(plan);
				return await runNode({ parameters: textVideo({ options: late }), settings });
			};
			const { message, description, context } = errorOf(await ended({}));
			const [taskId] = [...simulator.tasks.keys()];
			expect(context).toMatchObject({ kind, item: 1, taskId, status, task: { id: taskId } });
			expect(`${message} ${description}`).toContain(says);
			const item = { json: { error: { kind, status } } };
			expect(await ended(CONTINUE)).toMatchObject({ output: [item], errorOutput: [] });
			expect(await ended(ERROR_OUTPUT)).toMatchObject({ output: [], errorOutput: [item] });
		},
	);
});
