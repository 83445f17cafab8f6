import type { IDataObject } from 'n8n-workflow';
import { samplePng } from '../../tools/simulator/sampleFiles';
import { CONTINUE, hintsOf, idsOf, statusesOf, useEngine } from '../support/useEngine';

/** It would answer, and takes the key that the credential still holds: nothing may come to it. */
const { simulator, run, runNode } = useEngine();
afterEach(() => expect(simulator.requests).toEqual([]));

const PRACTICE = { credential: { environment: 'practice' } };

/** As n8n keeps a file in its memory. */
const png = { data: samplePng().toString('base64'), mimeType: 'image/png' };

test.each<[string, IDataObject]>([
	['createTextVideo', {}],
	['createImageVideo', { firstFrameUrl: 'https://example.com/a.png' }],
	['createImageVideo', { imageSource: 'binary' }],
	['createReferenceVideo', { referenceBinaryProperties: 'data' }],
])('%s with %j gives a clip that says PRACTICE', async (operation, more) => {
	const { output } = await run(['A fox'], {
		credential: { ...PRACTICE.credential, apiKey: '', baseUrl: '' },
		binaries: [{ data: png }],
		more: { operation, ...more, downloadResults: true },
	});
	const { json, binary } = output[0] ?? { json: {} };
	expect(json).toMatchObject({ status: 'completed', usage: { practice: true } });
	expect(binary?.data?.mimeType).toBe('video/mp4');
	expect(binary?.data?.fileName).toMatch(/^practice-.*\.mp4$/);
	expect(Buffer.from(String(binary?.data?.data), 'base64').subarray(4, 8).toString()).toBe('ftyp');
});

test('Get Task knows the task in another execution', async () => {
	const [id] = idsOf(await run(['A fox'], PRACTICE));
	const parameters = { operation: 'getTask', taskId: String(id) };
	expect(statusesOf(await runNode({ parameters, ...PRACTICE }))).toEqual(['completed']);
});

test('words in a prompt play failures, each item by itself', async () => {
	const prompts = ['A fox', 'A fox [refused]', 'A fox [failed]'];
	const { output } = await run(prompts, { ...PRACTICE, settings: CONTINUE });
	expect(output.map(({ json }) => json)).toMatchObject([
		{ status: 'completed' },
		{ error: { kind: 'moderation' } },
		{ error: { kind: 'failed' } },
	]);
});

test.each(['manual', 'trigger'] as const)('a hint says so in the mode %s', async (mode) => {
	expect(hintsOf(await run(['A fox'], { ...PRACTICE, mode }))).toMatch(/practice/i);
});
