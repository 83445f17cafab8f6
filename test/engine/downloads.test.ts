import { type Simulator, DEFAULT_API_KEY, startSimulator } from '../../tools/simulator';
import { useBinaryStorage } from '../support/binaryStorage';
import { sampleMp4 } from '../../tools/simulator/sampleFiles';
import type { RunResult } from '../support/engine';
import { CONTINUE, type Given, status, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const { simulator, run: runNode } = useEngine();
const run = async (prompts: string[], given: Given = {}) =>
	await runNode(prompts, { more: { downloadResults: true }, ...given });

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

test('the API key stays with the service: neither another host nor the target of a redirect gets it', async () => {
	const target = host.serve('/moved.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
	simulator.script({ on: 'result', fault: { kind: 'redirect', location: target } });
	expect(await filesOf(await run(PROMPT))).toEqual([sampleMp4()]);
	expect(host.requests).toHaveLength(1);
	const withoutKey = JSON.stringify([host.requests, simulator.downloads()]);
	expect(withoutKey).not.toMatch(/authorization/i);
	expect(withoutKey).not.toContain(DEFAULT_API_KEY);
});

test('a download is tried again after a body of unknown length that is cut off', async () => {
	simulator.script({ on: 'result', times: 2, fault: { kind: 'cutOff', isChunked: true } });
	expect(await filesOf(await run(PROMPT))).toEqual([sampleMp4()]);
	expect(simulator.downloads()).toHaveLength(3);
	expect(simulator.creates()).toHaveLength(1);
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
