import { DEFAULT_API_KEY, type Simulator } from '../../simulator';
import { AUTHORIZED, SimulatorScene, readRecord } from './scene';

const scene = new SimulatorScene();
let sim: Simulator;
let host: Simulator;

beforeEach(async () => {
	[sim, host] = await Promise.all([scene.start(), scene.start()]);
});
afterEach(async () => await scene.end());

describe('leaks', () => {
	const KEY = 'key-12345/67890';

	test.each<[string, string, RequestInit, string[]]>([
		['nothing', '/a', { headers: { 'x-a': '1' } }, []],
		['the key as bearer', '/a', { headers: { authorization: `Bearer ${KEY}` } }, ['headers']],
		['any authorization', '/a', { headers: { authorization: 'Basic eA==' } }, ['headers']],
		['the key in another header', '/a', { headers: { 'x-key': KEY } }, ['headers']],
		['the key in the query', `/a?key=${KEY}`, {}, ['address']],
		['the key encoded in the query', `/a?key=${encodeURIComponent(KEY)}`, {}, ['address']],
		['the key in the body', '/a', { method: 'POST', body: `{"k":"${KEY}"}` }, ['body']],
	])('name %s that a request to a host carried', async (_, path, init, places) => {
		host.serve('/a');
		await fetch(`${host.origin}${path}`, init);
		const { method = 'GET' } = init;
		expect(host.leaks(KEY)).toEqual(places.map((place) => `${method} ${path}: ${place}`));
	});

	test('name a key sent for a result, but not one sent to the service', async () => {
		const task = sim.addTask({ status: 'completed' });
		await readRecord(sim, task.id);
		expect(sim.leaks(DEFAULT_API_KEY)).toEqual([]);
		await fetch(String(task.results()[0]), { headers: AUTHORIZED });
		expect(sim.leaks(DEFAULT_API_KEY)).toEqual([`GET /results/${task.id}/1.mp4: headers`]);
	});
});
