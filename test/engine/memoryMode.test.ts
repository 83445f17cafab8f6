import '../support/quietLogs';
import type { IDataObject } from 'n8n-workflow';
import type { Simulator } from '../simulator';
import { startSimulator } from '../simulator';
import { sampleMp4, samplePng } from '../support/sampleFiles';
import { StallClock } from '../support/stallClock';
import { Engine, errorOf } from './engine';

/** An n8n that keeps files in memory: nothing here starts its storage on the disk. */
const clock = new StallClock();
let simulator: Simulator;
let engine: Engine;

beforeAll(async () => {
	simulator = await startSimulator({ now: clock.now, taskDurationMs: 25_000 });
	engine = await Engine.start(simulator.baseUrl);
});
beforeEach(() => simulator.reset());
afterAll(async () => await simulator.close());

const waitOptions = { timeoutMinutes: 10 * 60 };

test('downloads come whole', async () => {
	const parameters = {
		operation: 'createTextVideo',
		prompt: 'a fox',
		waitOptions,
		downloadResults: true,
	};
	const { output } = await engine.run({ parameters, clock });
	expect(output[0]?.binary?.data).toMatchObject({
		data: sampleMp4().toString('base64'),
		mimeType: 'video/mp4',
	});
	expect(simulator.downloads()).toHaveLength(1);
});

const inMemory = {
	data: { data: samplePng().toString('base64'), mimeType: 'image/png', fileName: 'fox.png' },
};

test.each<[string, IDataObject]>([
	['First Frame Binary Field', { operation: 'createImageVideo', imageSource: 'binary' }],
	[
		'Reference Binary Fields',
		{ operation: 'createReferenceVideo', referenceBinaryProperties: 'data' },
	],
])('%s: no link to a file can be made, and what to change is said', async (label, more) => {
	const parameters = { prompt: 'a fox', waitOptions, ...more };
	const error = errorOf(await engine.run({ parameters, binaries: [inMemory], clock }));
	expect(error.message).toContain(label);
	expect(error.message).toContain('kept in the memory of n8n');
	expect(error.description).toContain('N8N_DEFAULT_BINARY_DATA_MODE');
	expect(simulator.requests).toEqual([]);
});
