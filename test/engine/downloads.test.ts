import type { INodeExecutionData } from 'n8n-workflow';
import { MAX_DOWNLOAD_TRIES } from '../../nodes/Videogen/files/download';
import { type Fault, type Simulator, DEFAULT_API_KEY, startSimulator } from '../../tools/simulator';
import { useBinaryStorage } from '../support/binaryStorage';
import { sampleMp4 } from '../../tools/simulator/sampleFiles';
import { type RunResult, errorOf } from '../support/engine';
import { type Given, CONTINUE, status, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const parameters = { downloadResults: true };
const { simulator, run: runItems, start, taskOf } = useEngine({ parameters });

/** Another host, where results may be. */
let host: Simulator;
beforeAll(async () => {
	host = await startSimulator();
});
beforeEach(() => host.reset());
afterAll(async () => await host.close());

const run = async (given: Given = {}, prompts = ['a fox']): Promise<RunResult> =>
	await runItems(prompts, given);

const playOnResults = (fault: Fault, times = Number.POSITIVE_INFINITY) =>
	simulator.script({ on: 'result', times, fault });

/** The bytes of an item's file, from where n8n keeps it. */
async function bytesOf({ binary }: INodeExecutionData, field = 'data'): Promise<Buffer> {
	const file = binary?.[field];
	if (file === undefined) throw new Error(`The item has no file in ${field}`);
	return await storage.read(file);
}

const onlyItem = ({ output }: RunResult): INodeExecutionData => {
	const [item, ...others] = output;
	if (item === undefined || others.length > 0) throw new Error(`${output.length} items came out`);
	return item;
};

test('the video is in the named field, whole, beside the record as it came', async () => {
	const result = await run();
	const item = onlyItem(result);
	const [task] = simulator.tasks.values();
	expect(item.json).toEqual(task?.record());
	expect(await bytesOf(item)).toEqual(sampleMp4());
	expect(item.binary?.data).toMatchObject({
		fileName: `a-fox-${task?.id.slice(-4)}.mp4`,
		mimeType: 'video/mp4',
		fileType: 'video',
		fileExtension: 'mp4',
	});
});

test.each(['completed', 'processing', 'failed'] as const)(
	'Get Task gives a task that is %s without waiting, with files only if it is completed',
	async (status) => {
		const { id } = simulator.addTask({ status });
		const item = onlyItem(await run({ more: { operation: 'getTask', taskId: id } }));
		expect(item.json).toMatchObject({ id, status });
		expect(Object.keys(item.binary ?? {})).toEqual(status === 'completed' ? ['data'] : []);
		expect(simulator.downloads()).toHaveLength(status === 'completed' ? 1 : 0);
	},
);

test('the API key stays with the service: neither another host nor the target of a redirect gets it', async () => {
	const target = host.serve('/moved.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
	playOnResults({ kind: 'redirect', location: target }, 1);
	const item = onlyItem(await run());
	expect(await bytesOf(item)).toEqual(sampleMp4());
	expect(host.requests).toHaveLength(1);
	expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
	expect(simulator.leaks(DEFAULT_API_KEY)).toEqual([]);
});

test('a download is tried again after a body of unknown length that is cut off', async () => {
	playOnResults({ kind: 'chunked', cutOff: true }, MAX_DOWNLOAD_TRIES - 1);
	const item = onlyItem(await run());
	expect(await bytesOf(item)).toEqual(sampleMp4());
	expect(simulator.downloads()).toHaveLength(MAX_DOWNLOAD_TRIES);
	expect(simulator.creates()).toHaveLength(1);
});

/** Which others are given up stands in the unit tests of `files/`. */
test('a result that is gone is given up, with all that is needed to get at it in the error', async () => {
	playOnResults(status(410));
	const { description, context } = errorOf(await run());
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
	const { output } = await run({ settings: CONTINUE }, prompts);
	const results = [expect.stringContaining('http')];
	expect(output.map(({ json }) => json.error)).toEqual([
		undefined,
		expect.objectContaining({ status: 'completed', task: expect.objectContaining({ results }) }),
		undefined,
	]);
	for (const item of output.filter(({ json }) => !json.error)) {
		expect(await bytesOf(item)).toEqual(sampleMp4());
	}
	simulator.reset();
	simulator.script({ on: 'result', prompt: 'two', fault: status(410) });
	const again = await run({ retryOf: await run({}, prompts) }, prompts);
	for (const item of again.output) expect(await bytesOf(item)).toEqual(sampleMp4());
	expect([again.output.length, simulator.creates().length]).toEqual([3, 3]);
});

test('stopping ends a download under way, asks for nothing more and names the task', async () => {
	playOnResults({ kind: 'stall' });
	const stopped = start(['one', 'two']);
	await simulator.waitForRequest(({ fault }) => fault === 'stall');
	const ended = simulator.waitForRequest(({ fault, ended: isOver }) => fault === 'stall' && isOver);
	stopped.cancel();
	await ended;
	const asked = simulator.requests.length;
	await stopped.result;
	await stopped.isOver();
	const text = stopped.log.join();
	expect([...simulator.tasks.keys()].filter((id) => !text.includes(id))).toEqual([]);
	expect(simulator.requests).toHaveLength(asked);
});
