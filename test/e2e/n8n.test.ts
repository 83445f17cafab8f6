import { setTimeout as delay } from 'node:timers/promises';
import type { CredentialRef, Execution } from '../n8n/api';
import { freePort } from '../n8n/ports';
import { OLDEST } from '../n8n/recipes';
import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	VIDEOGEN_TYPE,
	videogenWorkflow,
	type VideogenWorkflow,
} from '../n8n/workflows';
import { DEFAULT_API_KEY, type TaskPlan } from '../simulator';
import { TESTBED_TIMEOUT_MS, startTestbed, type Testbed } from './harness';
import { startWebsite } from './hosts';

const WRONG_KEY = 'wrong-key-0987654321';
const POLL_INTERVAL_SECONDS = 1;
/** A record that stays as it is, so that it can be compared after the run. */
const STANDING_STILL: Pick<TaskPlan, 'outcome' | 'statuses'> = {
	outcome: 'never',
	statuses: [{ afterMs: 0, status: 'pending', progress: 0 }],
};
const BROKEN = { code: 'content_policy_violation', message: 'The prompt was refused' };

let bed: Testbed;
/** Everything that ran; looked through at the end for what must never be saved. */
const executions: Execution[] = [];

beforeAll(async () => {
	bed = await startTestbed(OLDEST);
}, TESTBED_TIMEOUT_MS);

afterAll(async () => await bed?.stop());

beforeEach(() => bed.sim.reset());

type Run = Omit<VideogenWorkflow, 'name' | 'credential'> & { credential?: CredentialRef };

const workflowOf = (wanted: Run) =>
	videogenWorkflow({
		name: expect.getState().currentTestName ?? 'Test',
		credential: bed.credential,
		...wanted,
	});

async function run(wanted: Run): Promise<Execution> {
	const execution = await bed.api.execute(workflowOf(wanted));
	executions.push(execution);
	return execution;
}

const waiting = {
	waitForCompletion: true,
	waitOptions: { pollIntervalSeconds: POLL_INTERVAL_SECONDS },
};
const notWaiting = { waitForCompletion: false };

const output = (execution: Execution, index?: number) => execution.output(VIDEOGEN_NODE, index);
const jsonOf = (execution: Execution, index?: number) =>
	output(execution, index).map(({ json }) => json);
const onlyTask = () => {
	const [task, ...others] = bed.sim.tasks.values();
	if (task === undefined || others.length > 0) throw new Error('Expected exactly one task');
	return task;
};
const bodies = () => bed.sim.creates().map(({ json }) => json);

it('loads the node and its credential from the packed package', async () => {
	expect(await bed.api.nodeTypes()).toContain(VIDEOGEN_TYPE);
	expect(await bed.api.credentialTypes()).toContain('videogenApi');
});

describe('the credential test', () => {
	const check = async (data: { apiKey?: string; baseUrl?: string }) =>
		await bed.api.testCredential(bed.credential, {
			apiKey: DEFAULT_API_KEY,
			baseUrl: bed.sim.baseUrl,
			...data,
		});

	it.each([
		['as it is', DEFAULT_API_KEY],
		['pasted with spaces and a line break around it', `  ${DEFAULT_API_KEY} \n`],
	])('accepts a good key, %s', async (_name, apiKey) => {
		expect(await check({ apiKey })).toMatchObject({ status: 'OK' });
		expect(bed.sim.creates()).toEqual([]);
	});

	it('accepts an address with a slash at its end', async () => {
		expect(await check({ baseUrl: `${bed.sim.baseUrl}/` })).toMatchObject({ status: 'OK' });
	});

	it('accepts whatever JSON the service answers for an unknown task', async () => {
		bed.sim.script({ on: 'task', fault: { kind: 'status', status: 400 } });
		expect(await check({})).toMatchObject({ status: 'OK' });
		bed.sim.script({ on: 'task', fault: { kind: 'status', status: 404 } });
		expect(await check({})).toMatchObject({ status: 'OK' });
	});

	it('tells a bad key, an unreachable host and two kinds of wrong host apart', async () => {
		const answersAll = await startWebsite(200);
		const answersNothing = await startWebsite(404);
		try {
			const badKey = await check({ apiKey: WRONG_KEY });
			const unreachable = await check({ baseUrl: `http://127.0.0.1:${await freePort()}` });
			const website = await check({ baseUrl: answersAll.baseUrl });
			const notFound = await check({ baseUrl: answersNothing.baseUrl });

			const results = [badKey, unreachable, website, notFound];
			expect(results.map(({ status }) => status)).toEqual(['Error', 'Error', 'Error', 'Error']);
			expect(badKey.message).toMatch(/key/i);
			expect(unreachable.message).toMatch(/reach|connect/i);
			expect(website.message).toMatch(/Base URL|address/i);
			expect(notFound.message).toMatch(/Base URL|address/i);
			expect(new Set(results.map(({ message }) => message)).size).toBe(4);
			for (const { message } of results) {
				expect(message).not.toContain(WRONG_KEY);
				expect(message).not.toContain(DEFAULT_API_KEY);
			}
			expect(bed.sim.creates()).toEqual([]);
		} finally {
			await answersAll.close();
			await answersNothing.close();
		}
	});
});

const FRAME = 'https://example.com/first.png';
const LAST_FRAME = 'https://example.com/last.png';
const ALWAYS_SENT = { prompt: 'A fox', duration: 5, quality: '720p' };

/** Parameters of each create operation, and the body that the contract asks for. */
const CREATES = [
	{
		operation: 'createTextVideo',
		parameters: {},
		body: { model: 'videogen-2.5-text-to-video', ...ALWAYS_SENT },
	},
	{
		operation: 'createImageVideo',
		parameters: { firstFrameUrl: FRAME, lastFrameUrl: LAST_FRAME },
		body: {
			model: 'videogen-2.5-image-to-video',
			...ALWAYS_SENT,
			image_urls: [FRAME, LAST_FRAME],
		},
	},
	{
		operation: 'createReferenceVideo',
		parameters: { imageUrls: `${FRAME}\n${LAST_FRAME}`, videoUrls: 'https://example.com/a.mp4' },
		body: {
			model: 'videogen-2.5-reference-to-video',
			...ALWAYS_SENT,
			image_urls: [FRAME, LAST_FRAME],
			video_urls: ['https://example.com/a.mp4'],
		},
	},
];

describe.each(CREATES)('$operation', ({ operation, parameters, body }) => {
	const required = { operation, prompt: 'A fox', ...parameters };

	it('waits and returns the finished task exactly as the service tells it', async () => {
		const execution = await run({ parameters: { ...required, ...waiting } });
		expect(execution.status).toBe('success');
		expect(bodies()).toEqual([body]);
		expect(jsonOf(execution)).toEqual([onlyTask().record()]);
		expect(jsonOf(execution)).toMatchObject([{ status: 'completed' }]);
	});

	it('returns the accepted task at once when it does not wait', async () => {
		bed.sim.planTask(STANDING_STILL);
		const execution = await run({ parameters: { ...required, ...notWaiting } });
		expect(execution.status).toBe('success');
		expect(bodies()).toEqual([body]);
		expect(jsonOf(execution)).toEqual([onlyTask().record()]);
		expect(bed.sim.reads()).toEqual([]);
	});

	it('sends every optional field that was added', async () => {
		const options = {
			generateAudio: false,
			contentFilter: false,
			callbackUrl: 'https://example.com/hook',
		};
		const chosen = { duration: 12, quality: '480p', aspectRatio: '21:9' };
		await run({ parameters: { ...required, ...chosen, options, ...notWaiting } });
		expect(bodies()).toEqual([
			{
				...body,
				duration: 12,
				quality: '480p',
				aspect_ratio: '21:9',
				generate_audio: false,
				content_filter: false,
				callback_url: 'https://example.com/hook',
			},
		]);
	});
});

it('merges web search and further model parameters of text to video', async () => {
	const options = { webSearch: true, modelParams: '{"seed": 7}' };
	const parameters = { prompt: 'A fox', options, ...notWaiting };
	await run({ parameters });
	expect(bodies()).toEqual([
		{
			model: 'videogen-2.5-text-to-video',
			...ALWAYS_SENT,
			model_params: { seed: 7, web_search: true },
		},
	]);
});

describe('getTask', () => {
	it('reads a task as it is now, once', async () => {
		const task = bed.sim.addTask(STANDING_STILL);
		const execution = await run({ parameters: { operation: 'getTask', taskId: task.id } });
		expect(jsonOf(execution)).toEqual([task.record()]);
		expect(bed.sim.reads(task.id)).toHaveLength(1);
		expect(bed.sim.creates()).toEqual([]);
	});

	it('waits until the task is finished', async () => {
		const task = bed.sim.addTask({ durationMs: 1_500 });
		const parameters = { operation: 'getTask', taskId: task.id, ...waiting };
		const execution = await run({ parameters });
		expect(jsonOf(execution)).toEqual([task.record()]);
		expect(jsonOf(execution)).toMatchObject([{ status: 'completed' }]);
		expect(bed.sim.creates()).toEqual([]);
	});
});

describe('many items', () => {
	const prompts = ['first', 'second', 'third', 'fourth', 'fifth'];
	const items = prompts.map((prompt) => ({ prompt }));
	const parameters = { prompt: '={{ $json.prompt }}', ...waiting };
	const taskOf = (prompt: string) =>
		[...bed.sim.tasks.values()].find((task) => task.prompt === prompt);

	it('come out in input order and paired, whichever task is finished first', async () => {
		for (const [index, prompt] of prompts.entries()) {
			bed.sim.planTask({ prompt, durationMs: 2_000 - index * 400 });
		}
		const execution = await run({ parameters, items });
		expect(jsonOf(execution)).toEqual(prompts.map((prompt) => taskOf(prompt)?.record()));
		expect(output(execution).map(({ pairedItem }) => pairedItem)).toEqual(
			prompts.map((_prompt, item) => ({ item })),
		);
		expect(bed.sim.creates()).toHaveLength(prompts.length);
	});

	it('go on without the one whose task failed, which says what is known', async () => {
		bed.sim.planTask({ prompt: 'second', outcome: 'failed', error: BROKEN });
		const execution = await run({ parameters, items, onError: 'continueRegularOutput' });
		const task = taskOf('second');

		expect(execution.status).toBe('success');
		expect(jsonOf(execution).map((json) => json.status)).toEqual([
			'completed',
			undefined,
			'completed',
			'completed',
			'completed',
		]);
		expect(jsonOf(execution)[1]).toMatchObject({
			error: {
				message: expect.any(String),
				description: expect.any(String),
				taskId: task?.id,
				status: 'failed',
				task: task?.record(),
			},
		});
	});

	it('leave through the error output when their task failed', async () => {
		bed.sim.planTask({ prompt: 'third', outcome: 'failed', error: BROKEN });
		const execution = await run({ parameters, items, onError: 'continueErrorOutput' });
		const good = prompts.filter((prompt) => prompt !== 'third');

		expect(jsonOf(execution, 0)).toEqual(good.map((prompt) => taskOf(prompt)?.record()));
		expect(jsonOf(execution, 1)).toMatchObject([
			{ error: { taskId: taskOf('third')?.id, status: 'failed' } },
		]);
	});

	it('leave through the error output without a task id when no task was made', async () => {
		bed.sim.script({ on: 'create', prompt: 'third', fault: { kind: 'status', status: 400 } });
		const execution = await run({ parameters, items, onError: 'continueErrorOutput' });
		const [failed, ...others] = jsonOf(execution, 1);

		expect(jsonOf(execution, 0)).toHaveLength(prompts.length - 1);
		expect(others).toEqual([]);
		expect(failed).toMatchObject({ error: { message: expect.any(String) } });
		expect(failed).not.toHaveProperty('error.taskId');
	});
});

describe('an execution that does not succeed', () => {
	it('names the task and the reason when the service reports that it failed', async () => {
		bed.sim.planTask({ outcome: 'failed', error: BROKEN });
		const { status, error } = await run({ parameters: { prompt: 'A fox', ...waiting } });
		const { id } = onlyTask();

		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toContain(id);
		expect(`${error?.message} ${error?.description}`).toContain(BROKEN.message);
		expect(error?.context).toMatchObject({ taskId: id, status: 'failed' });
	});

	it('says that the key was refused, without repeating it', async () => {
		const credential = await bed.api.createCredential({
			name: 'Wrong key',
			data: { apiKey: WRONG_KEY, baseUrl: bed.sim.baseUrl },
		});
		const { status, error } = await run({ credential, parameters: { prompt: 'A fox' } });
		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toMatch(/key/i);
		expect(bed.sim.creates()).toHaveLength(1);
	});

	it('ends polling within a second when a person stops it', async () => {
		const { api, sim } = bed;
		sim.planTask({ outcome: 'never' });
		const parameters = { prompt: 'A fox', ...waiting };
		const workflow = await api.createWorkflow(workflowOf({ parameters }));
		const id = await api.runWorkflow(workflow);
		await sim.waitForRequest(() => sim.reads().length >= 2, 15_000);

		await api.stopExecution(id);
		const stoppedAt = Date.now();
		// Absence has no event: several poll intervals must pass without a request.
		await delay(POLL_INTERVAL_SECONDS * 4_000);

		expect(sim.reads().filter(({ at }) => at > stoppedAt + 1_000)).toEqual([]);
		expect(sim.creates()).toHaveLength(1);
		const execution = await api.waitForExecution(id);
		executions.push(execution);
		expect(execution.status).toBe('canceled');
	});
});

it('has left no API key in any execution or in the log', async () => {
	const log = await bed.log();
	expect(executions.length).toBeGreaterThan(10);
	for (const text of [log, ...executions.map(({ raw }) => raw)]) {
		expect(text).not.toContain(DEFAULT_API_KEY);
		expect(text).not.toContain(WRONG_KEY);
	}
	expect(executions.some(({ raw }) => raw.includes(TRIGGER_NODE))).toBe(true);
});
