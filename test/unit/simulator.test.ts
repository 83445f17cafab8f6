import {
	DEFAULT_API_KEY,
	type Simulator,
	type SimulatorOptions,
	startSimulator,
} from '../programs/simulator';
import { CREATE_PATH, modelOf, TASKS_PATH } from '../programs/simulator/contract';

/** What other tests rely on when the simulator is their judge: that it refuses, and sees keys. */

const TEXT = { model: modelOf('videogen-2.5', 'text-to-video'), prompt: 'A lighthouse' };
const IMAGE = { ...TEXT, model: modelOf('videogen-2.5', 'image-to-video') };
const REFERENCE = { ...TEXT, model: modelOf('videogen-2.5', 'reference-to-video') };
const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };
const JSON_TYPE = { 'content-type': 'application/json' };

let nowMs: number;
let sims: Simulator[];
const start = async (options: SimulatorOptions = {}): Promise<Simulator> => {
	const sim = await startSimulator({ now: () => nowMs, ...options });
	sims.push(sim);
	return sim;
};
beforeEach(() => {
	nowMs = 1_700_000_000_000;
	sims = [];
});
afterEach(async () => void (await Promise.all(sims.map(async (sim) => await sim.close()))));

/** Status, what it asks to wait, and body of an answer to a create, or to a read of this task. */
async function ask(sim: Simulator, headers: object, body?: unknown, id?: string) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const init: RequestInit = { method: id ? 'GET' : 'POST', headers: { ...headers }, body: text };
	const path = id ? `${TASKS_PATH}/${id}` : CREATE_PATH;
	const response = await fetch(`${sim.baseUrl}/${path}`, init);
	return [response.status, response.headers.get('retry-after'), await response.text()] as const;
}
const create = async (sim: Simulator, body: unknown = TEXT) =>
	await ask(sim, { ...JSON_TYPE, ...AUTHORIZED }, body);

test.each<[unknown, string]>([
	[{ ...TEXT, model: 'other' }, 'model'],
	[{ ...TEXT, seed: 1 }, 'seed'],
	[{ ...IMAGE, image_urls: ['a.png'] }, 'image_urls.0'],
	[REFERENCE, 'audio_urls'],
	['{"model":', 'JSON'],
])('answers 400 to the create %j and names what is wrong', async (body, field) => {
	const sim = await start();
	expect(await create(sim, body)).toEqual([400, null, expect.stringContaining(field)]);
	const asText = { ...AUTHORIZED, 'content-type': 'text/plain' };
	expect((await ask(sim, asText, TEXT))[2]).toContain('Content-Type');
	expect(sim.tasks.size).toBe(0);
});

const KEY = 'key-12345/67890';

test.each<[string, RequestInit, string[]]>([
	['/a', { headers: { 'x-a': '1' } }, []],
	['/a', { headers: { authorization: 'Basic eA==' } }, ['headers']],
	['/a', { headers: { 'x-key': KEY } }, ['headers']],
	[`/a?key=${KEY}`, {}, ['address']],
	[`/a?key=${encodeURIComponent(KEY)}`, {}, ['address']],
	['/a', { method: 'POST', body: `{"k":"${KEY}"}` }, ['body']],
])('sees a key in a request for %s with %j: %j', async (path, init, places) => {
	const host = await start();
	host.serve('/a');
	await fetch(`${host.origin}${path}`, init);
	const { method = 'GET' } = init;
	expect(host.leaks(KEY)).toEqual(places.map((place) => `${method} ${path}: ${place}`));
});

test('sees a key sent for a result, but takes one sent to the service as it should be', async () => {
	const sim = await start();
	const task = sim.addTask({ status: 'completed' });
	await ask(sim, AUTHORIZED, undefined, task.id);
	expect(sim.leaks(DEFAULT_API_KEY)).toEqual([]);
	await fetch(String(task.results()[0]), { headers: AUTHORIZED });
	expect(sim.leaks(DEFAULT_API_KEY)).toEqual([`GET /results/${task.id}/1.mp4: headers`]);
});
