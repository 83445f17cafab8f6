import { type Simulator, DEFAULT_API_KEY, startSimulator } from '../../tools/simulator';
import { useBinaryStorage } from '../support/binaryStorage';
import { sampleMp4 } from '../../tools/simulator/sampleFiles';
import { type RunResult, errorOf } from '../support/engine';
import { CONTINUE, status, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const parameters = { downloadResults: true };
const { simulator, run, taskOf } = useEngine({ parameters });

/** Another host, where results may be. */
let host: Simulator;
beforeAll(async () => {
	host = await startSimulator();
});
beforeEach(() => host.reset());
afterAll(async () => await host.close());

const PROMPT = ['a fox'];

/** The bytes of each item's file, from where n8n keeps it. */
const filesOf = async ({ output }: RunResult) =>
	await Promise.all(
		output.map(async ({ binary }) => binary?.data && (await storage.read(binary.data))),
	);

test('the video is in the named field, whole, beside the record as it came', async () => {
	const result = await run(PROMPT);
	const task = taskOf('a fox');
	expect(await filesOf(result)).toEqual([sampleMp4()]);
	expect(result.output[0]?.json).toEqual(task.record());
	expect(result.output[0]?.binary?.data).toMatchObject({
		fileName: `a-fox-${task.id.slice(-4)}.mp4`,
		mimeType: 'video/mp4',
		fileType: 'video',
		fileExtension: 'mp4',
	});
});

test('the API key stays with the service: neither another host nor the target of a redirect gets it', async () => {
	const target = host.serve('/moved.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
	simulator.script({ on: 'result', fault: { kind: 'redirect', location: target } });
	expect(await filesOf(await run(PROMPT))).toEqual([sampleMp4()]);
	expect(host.requests).toHaveLength(1);
	expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
	expect(simulator.leaks(DEFAULT_API_KEY)).toEqual([]);
});

test('a download is tried again after a body of unknown length that is cut off', async () => {
	simulator.script({ on: 'result', times: 2, fault: { kind: 'cutOff', isChunked: true } });
	expect(await filesOf(await run(PROMPT))).toEqual([sampleMp4()]);
	expect(simulator.downloads()).toHaveLength(3);
	expect(simulator.creates()).toHaveLength(1);
});

/** Which others are given up stands in the unit tests of `files/`. */
test('a result that is gone is given up, with all that is needed to get at it in the error', async () => {
	simulator.script({ on: 'result', times: Infinity, fault: status(410) });
	const { description, context } = errorOf(await run(PROMPT));
	const task = taskOf('a fox');
	expect(description).toContain(task.id);
	expect(context).toMatchObject({
		...{ kind: 'download', taskId: task.id, status: 'completed', task: task.record() },
	});
	expect(simulator.downloads()).toHaveLength(1);
});

test('of several videos, one whose download fails has its task in its item, the others have their videos, and a Retry downloads it, which pays nothing', async () => {
	const prompts = ['one', 'two', 'three'];
	simulator.script({ on: 'result', prompt: 'two', times: 2, fault: status(410) });
	const first = await run(prompts, { settings: CONTINUE });
	const results = [expect.stringContaining('http')];
	expect(first.output.map(({ json }) => json.error)).toEqual([
		undefined,
		expect.objectContaining({ status: 'completed', task: expect.objectContaining({ results }) }),
		undefined,
	]);
	expect(await filesOf(first)).toEqual([sampleMp4(), undefined, sampleMp4()]);
	simulator.reset();
	simulator.script({ on: 'result', prompt: 'two', fault: status(410) });
	const again = await run(prompts, { retryOf: await run(prompts) });
	expect(await filesOf(again)).toEqual(prompts.map(() => sampleMp4()));
	expect(simulator.creates()).toHaveLength(3);
});
