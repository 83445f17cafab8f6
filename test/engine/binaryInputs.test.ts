import type { IBinaryData } from 'n8n-workflow';
import { useBinaryStorage } from '../support/binaryStorage';
import { samplePng } from '../../tools/simulator/sampleFiles';
import type { RunResult } from '../support/engine';
import { type Given, memoryOf, status, useEngine } from '../support/useEngine';

const storage = useBinaryStorage();
const { simulator, run: runItem } = useEngine();

/** Links expire six hours after they were made. */
const LINK_LIFETIME_SECONDS = 6 * 60 * 60;

let data: IBinaryData;
let last: IBinaryData;
beforeAll(async () => {
	data = await storage.put(samplePng(), 'image/png', 'first.png');
	last = await storage.put(samplePng([0, 0, 0]), 'image/png; charset=binary', 'last.png');
});

/** An item with both files. */
const run = async (given: Given): Promise<RunResult> =>
	await runItem(['a fox'], { binaries: [{ data, last }], ...given });

const FRAMES = { operation: 'createImageVideo', imageSource: 'binary' };

/** The images of each create. */
const linksSent = (): string[][] =>
	simulator.creates().map(({ bodyText }) => JSON.parse(bodyText).image_urls);

test('frames are sent as signed links of n8n, first and last, that expire after six hours', async () => {
	await run({ more: { ...FRAMES, lastFrameBinaryProperty: 'last' } });
	const [links = []] = linksSent();
	expect(links.map((link) => storage.idBehind(link))).toEqual([data.id, last.id]);
	for (const link of links) {
		expect(link).toMatch(/^http:\/\/localhost:5678\/rest\/binary-data\/signed\?token=/);
		const [, payload = ''] = (new URL(link).searchParams.get('token') ?? '').split('.');
		const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
		expect(exp - iat).toBe(LINK_LIFETIME_SECONDS);
	}
});

test('a retry finds the task of a file though the link is a new one, which is kept nowhere, and makes a new link otherwise', async () => {
	let now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
	simulator.script({ on: 'create', fault: status(503) });
	const first = await run({ more: FRAMES });
	simulator.script({ on: 'task', fault: status(405) });
	const second = await run({ more: FRAMES, retryOf: first });
	expect(second.status).toBe('error');
	expect(memoryOf(second)).toContain('task_');
	expect(memoryOf(second)).not.toContain('token=');
	expect((await run({ more: FRAMES, retryOf: second })).status).toBe('success');
	const links = linksSent().flat();
	expect(links.map((link) => storage.idBehind(link))).toEqual([data.id, data.id]);
	expect(new Set(links).size).toBe(2);
	expect(simulator.tasks.size).toBe(1);
});
