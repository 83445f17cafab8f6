import type { IBinaryData } from 'n8n-workflow';
import { useBinaryStorage } from '../support/binaryStorage';
import { samplePng } from '../../tools/simulator/sampleFiles';
import type { RunResult } from '../support/engine';
import { type Given, memoryOf, status, tries, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const { simulator, run: runItems } = useEngine();

/** Links expire six hours after they were made. */
const LINK_LIFETIME_SECONDS = 6 * 60 * 60;

let data: IBinaryData;
let last: IBinaryData;
beforeAll(async () => {
	data = await storage.put(samplePng(), 'image/png', 'first.png');
	last = await storage.put(samplePng([0, 0, 0]), 'image/png; charset=binary', 'last.png');
});

/** An item for each prompt, each with both files. */
const run = async (given: Given, prompts = ['a fox']): Promise<RunResult> =>
	await runItems(prompts, { binaries: prompts.map(() => ({ data, last })), ...given });

const FRAMES = { operation: 'createImageVideo', imageSource: 'binary' };

/** The first images of the creates. */
const firstLinks = (): string[] =>
	simulator.creates().map(({ bodyText }) => JSON.parse(bodyText).image_urls[0]);
/** IDs of the files that links open. */
const idsBehind = (links: string[]): string[] => links.map((link) => storage.idBehind(link));

describe('frames from binary fields', () => {
	test('are sent as signed links of n8n, first and last, that expire after six hours', async () => {
		await run({ more: { ...FRAMES, lastFrameBinaryProperty: 'last' } });
		const links: string[] = JSON.parse(simulator.creates()[0]?.bodyText ?? '').image_urls;
		expect(idsBehind(links)).toEqual([data.id, last.id]);
		for (const link of links) {
			expect(link).toMatch(/^http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/);
			const [, payload = ''] = (new URL(link).searchParams.get('token') ?? '').split('.');
			const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
			expect(exp - iat).toBe(LINK_LIFETIME_SECONDS);
		}
	});

	test('are sent again under the same key, with new links to the same files', async () => {
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
		simulator.script({ on: 'create', times: 2, fault: status(429) });
		await run({ more: FRAMES });
		const links = firstLinks();
		expect(new Set(links).size).toBe(3);
		expect(idsBehind(links)).toEqual([data.id, data.id, data.id]);
		const keys = simulator.creates().map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(1);
	});

	test('each item sends its own file', async () => {
		await run({ more: FRAMES, binaries: [{ data: last }, { data }] }, ['one', 'two']);
		expect(idsBehind(firstLinks())).toEqual([last.id, data.id]);
	});
});

test('an upload is stored once more under the execution, once for all items and tries', async () => {
	const upload = await storage.put(samplePng([7]), 'image/png', 'me.png', 'temp');
	simulator.script({ on: 'create', fault: status(503) });
	const binaries = [{ data: upload }, { data: upload }];
	await run({ more: FRAMES, binaries, settings: tries(2) }, ['one', 'two']);
	const links = firstLinks();
	const ids = idsBehind(links);
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
