import type { IBinaryKeyData } from 'n8n-workflow';
import { useBinaryStorage } from '../support/binaryStorage';
import { sampleMp4, samplePng, sampleWav } from '../../tools/simulator/sampleFiles';
import type { RunResult } from '../support/engine';
import { type Given, memoryOf, status, tries, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const { simulator, run: runItems } = useEngine();

/** Links expire six hours after they were made. */
const LINK_LIFETIME_SECONDS = 6 * 60 * 60;

let files: IBinaryKeyData;
beforeAll(async () => {
	files = {
		data: await storage.put(samplePng(), 'image/png', 'first.png'),
		last: await storage.put(samplePng([0, 0, 0]), 'image/png; charset=binary', 'last.png'),
		clip: await storage.put(sampleMp4(), 'video/mp4', 'clip.mp4'),
		voice: await storage.put(sampleWav(), 'audio/wav', 'voice.wav'),
	};
});

/** An item for each prompt, each with all files. */
const run = async (given: Given, prompts = ['a fox']): Promise<RunResult> =>
	await runItems(prompts, { binaries: prompts.map(() => files), ...given });

const FRAMES = { operation: 'createImageVideo', imageSource: 'binary' };

const listIn = (name: string, index = 0): string[] => {
	const body: unknown = simulator.creates()[index]?.json;
	const entries: unknown = Object.entries(body ?? {}).find(([key]) => key === name)?.[1];
	return Array.isArray(entries) ? entries.map(String) : [];
};
/** Names of the binary fields that the links of a list open. */
const fieldsIn = (name: string): string[] =>
	listIn(name).map((link) => {
		if (!link.includes('token=')) return link;
		const id = storage.idBehind(link);
		return Object.keys(files).find((field) => files[field]?.id === id) ?? 'unknown';
	});

describe('frames from binary fields', () => {
	test('are sent as signed links of n8n, first and last, that expire after six hours', async () => {
		await run({ more: { ...FRAMES, lastFrameBinaryProperty: 'last' } });
		expect(fieldsIn('image_urls')).toEqual(['data', 'last']);
		for (const link of listIn('image_urls')) {
			expect(link).toMatch(/^http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/);
			const [, payload = ''] = (new URL(link).searchParams.get('token') ?? '').split('.');
			const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
			expect(exp - iat).toBe(LINK_LIFETIME_SECONDS);
		}
	});

	test('are sent again with the same links, though n8n would sign others by then', async () => {
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
		simulator.script({ on: 'create', times: 2, fault: status(429) });
		await run({ more: FRAMES });
		const bodies = simulator.creates().map(({ bodyText }) => bodyText);
		expect(bodies).toHaveLength(3);
		expect(new Set(bodies).size).toBe(1);
	});

	test('each item sends its own file', async () => {
		const { last, data } = files;
		if (!last || !data) throw new Error('There are no files');
		await run({ more: FRAMES, binaries: [{ data: last }, { data }] }, ['one', 'two']);
		const ids = [0, 1].map((index) => storage.idBehind(listIn('image_urls', index)[0] ?? ''));
		expect(ids).toEqual([last.id, data.id]);
	});
});

test('an upload is stored once more under the execution, once for all items and tries', async () => {
	const upload = await storage.putUpload(samplePng([7]), 'image/png', 'me.png');
	simulator.script({ on: 'create', fault: status(503) });
	const binaries = [{ data: upload }, { data: upload }];
	await run({ more: FRAMES, binaries, settings: tries(2) }, ['one', 'two']);
	const links = simulator.creates().map((_, index) => listIn('image_urls', index)[0] ?? '');
	const ids = links.map((link) => storage.idBehind(link));
	expect(new Set(ids).size).toBe(1);
	expect(ids[0]).not.toContain('/executions/temp/');
	expect(await storage.behind(links[0] ?? '')).toEqual(['image/png', samplePng([7])]);
});

test('a retry finds the task of a file though the link is a new one, which is kept nowhere, and makes a new link otherwise', async () => {
	simulator.script({ on: 'create', fault: status(503) });
	const first = await run({ more: FRAMES });
	simulator.script({ on: 'task', fault: status(405) });
	const second = await run({ more: FRAMES, retryOf: first });
	expect(second.status).toBe('error');
	expect(memoryOf(second)).toContain('task_');
	expect(memoryOf(second)).not.toContain('token=');
	expect((await run({ more: FRAMES, retryOf: second })).status).toBe('success');
	expect(simulator.creates()).toHaveLength(2);
	expect(simulator.tasks.size).toBe(1);
});
