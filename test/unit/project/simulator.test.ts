import { DEFAULT_API_KEY, type Simulator, startSimulator } from '../../../tools/simulator';
import { CREATE_PATH, modelOf, TASKS_PATH } from '../../../tools/simulator/contract';

/** What other tests rely on when the simulator is their judge: that it sees keys; and what the demo plays. */

const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };

let sim: Simulator;
beforeAll(async () => {
	sim = await startSimulator();
});
beforeEach(() => sim.reset());
afterAll(async () => await sim.close());

async function create(prompt: string): Promise<number> {
	const { status } = await fetch(`${sim.baseUrl}/${CREATE_PATH}`, {
		method: 'POST',
		headers: { ...AUTHORIZED, 'content-type': 'application/json' },
		body: JSON.stringify({ model: modelOf('videogen-2.5', 'text-to-video'), prompt }),
	});
	return status;
}

test('plays the words of practice once it is told to', async () => {
	sim.playWords();
	expect(await create('A fox [refused]')).toBe(400);
	expect(sim.tasks.size).toBe(0);
	await create('A fox [failed]');
	await create('A fox');
	expect([...sim.tasks.values()].map(({ plan }) => plan.outcome)).toEqual(['failed', undefined]);
	// As in practice, a prompt with this word is not refused for its content.
	expect(JSON.stringify([...sim.tasks.values()].map(({ plan }) => plan))).not.toContain('content');
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
