import { DEFAULT_API_KEY, type Simulator, startSimulator } from '../programs/simulator';
import { CREATE_PATH, modelOf, TASKS_PATH } from '../programs/simulator/contract';

/** What other tests rely on when the simulator is their judge: that it refuses, and sees keys. */

const TEXT = { model: modelOf('videogen-2.5', 'text-to-video'), prompt: 'A lighthouse' };
const IMAGE = { ...TEXT, model: modelOf('videogen-2.5', 'image-to-video') };
const REFERENCE = { ...TEXT, model: modelOf('videogen-2.5', 'reference-to-video') };
const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };

let sim: Simulator;
beforeAll(async () => {
	sim = await startSimulator();
});
beforeEach(() => sim.reset());
afterAll(async () => await sim.close());

async function create(body: unknown, type = 'application/json', baseUrl = sim.baseUrl) {
	const response = await fetch(`${baseUrl}/${CREATE_PATH}`, {
		method: 'POST',
		headers: { ...AUTHORIZED, 'content-type': type },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return { status: response.status, text: await response.text() };
}

test.each<[unknown, string]>([
	[{ ...TEXT, model: 'other' }, 'model'],
	[{ ...TEXT, seed: 1 }, 'seed'],
	[{ ...IMAGE, image_urls: ['a.png'] }, 'image_urls.0'],
	[REFERENCE, 'audio_urls'],
	['{"model":', 'JSON'],
])('answers 400 to the create %j and names what is wrong', async (body, field) => {
	expect(await create(body)).toEqual({ status: 400, text: expect.stringContaining(field) });
	expect((await create(TEXT, 'text/plain')).text).toContain('Content-Type');
	expect(sim.tasks.size).toBe(0);
});

test('plays the words of practice once it is told to', async () => {
	sim.playWords();
	expect((await create({ ...TEXT, prompt: 'A fox [refused]' })).status).toBe(400);
	expect(sim.tasks.size).toBe(0);
	for (const word of ['[failed]', '[slow]']) await create({ ...TEXT, prompt: `A fox ${word}` });
	const seconds = [...sim.tasks.values()].map((task) => task.record().task_info?.estimated_time);
	expect(seconds).toEqual([3, 1_800]);
	expect([...sim.tasks.values()].map(({ plan }) => plan.outcome)).toEqual(['failed', undefined]);
	// As in practice, a prompt with this word is not refused for its content.
	expect(JSON.stringify([...sim.tasks.values()].map(({ plan }) => plan))).not.toContain('content');
});

test.each([
	['refuses', [200, 200, 429], ['processing', 'processing']],
	['fails', [200, 200, 200], ['processing', 'processing', 'failed']],
] as const)('%s what it has no room for', async (whenFull, statuses, ends) => {
	let nowMs = 0;
	const full = await startSimulator({ maxRunning: 2, whenFull, now: () => nowMs });
	const answers = [1, 2, 3].map(async () => await create(TEXT, 'application/json', full.baseUrl));
	expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual(statuses);
	nowMs = 1_000;
	expect(
		[...full.tasks.values()]
			.map((task) => task.status())
			.sort()
			.reverse(),
	).toEqual(ends);
	nowMs = 10_000;
	expect((await create(TEXT, 'application/json', full.baseUrl)).status).toBe(200);
	await full.close();
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
	sim.serve('/a');
	await fetch(`${sim.origin}${path}`, init);
	const { method = 'GET' } = init;
	expect(sim.leaks(KEY)).toEqual(places.map((place) => `${method} ${path}: ${place}`));
});

test('sees a key sent for a result, but takes one sent to the service as it should be', async () => {
	const task = sim.addTask({ status: 'completed' });
	await fetch(`${sim.baseUrl}/${TASKS_PATH}/${task.id}`, { headers: AUTHORIZED });
	expect(sim.leaks(DEFAULT_API_KEY)).toEqual([]);
	await fetch(String(task.results()[0]), { headers: AUTHORIZED });
	expect(sim.leaks(DEFAULT_API_KEY)).toEqual([`GET /results/${task.id}/1.mp4: headers`]);
});
