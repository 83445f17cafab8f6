import { TASKS_PATH } from '../../simulator/contract';
import { type Simulator, DEFAULT_API_KEY, newTaskId } from '../../simulator';
import {
	AUTHORIZED,
	IMAGE_REQUEST,
	REFERENCE_REQUEST,
	SimulatorScene,
	TEXT_REQUEST,
	create,
	createdId,
	read,
	recordOf,
} from './scene';

const scene = new SimulatorScene();
let sim: Simulator;

beforeEach(async () => {
	sim = await scene.start();
});
afterEach(async () => await scene.end());

/** Status and body of a refusal, which must have the form seen in the field. */
async function refusalOf(response: Response): Promise<[number, string]> {
	const body: unknown = await response.json();
	const text = expect.stringMatching(/./);
	expect(body).toMatchObject({ error: { code: text, message: text, type: text } });
	return [response.status, JSON.stringify(body)];
}

test.each([
	['no key', {}],
	['another key', { authorization: 'Bearer sim-key-0' }],
	['another scheme', { authorization: `Basic ${DEFAULT_API_KEY}` }],
	['the scheme in lower case', { authorization: `bearer ${DEFAULT_API_KEY}` }],
])('answers 401 to a request with %s, whatever else is wrong with it', async (_, headers) => {
	expect((await refusalOf(await read(sim, 'malformed', { headers })))[0]).toBe(401);
	expect((await refusalOf(await create(sim, {}, headers)))[0]).toBe(401);
});

test.each<[string, unknown, string]>([
	['an unknown model', { ...TEXT_REQUEST, model: 'other' }, 'model'],
	['an unknown property', { ...TEXT_REQUEST, seed: 1 }, 'seed'],
	['a frame that is no URL', { ...IMAGE_REQUEST, image_urls: ['a.png'] }, 'image_urls.0'],
	['no reference at all', { ...REFERENCE_REQUEST, image_urls: undefined }, 'audio_urls'],
	['broken JSON', '{"model":', 'JSON'],
])('answers 400 to a create with %s and names the field', async (_, body, field) => {
	expect(await refusalOf(await create(sim, body))).toEqual([400, expect.stringContaining(field)]);
	expect(sim.tasks.size).toBe(0);
});

test('answers 400 to a create that is not sent as JSON', async () => {
	const asText = { ...AUTHORIZED, 'content-type': 'text/plain' };
	expect((await refusalOf(await create(sim, TEXT_REQUEST, asText)))[1]).toContain('Content-Type');
	const asJson = { ...AUTHORIZED, 'content-type': 'application/json; charset=utf-8' };
	expect((await create(sim, TEXT_REQUEST, asJson)).status).toBe(200);
});

test('answers 400 to a malformed task id and 404 to an unknown one', async () => {
	for (const id of ['malformed', `${newTaskId()}a`, newTaskId().toUpperCase(), 'task_%2F']) {
		const refusal = await refusalOf(await read(sim, id));
		expect(refusal).toEqual([400, expect.stringContaining('invalid_task_id')]);
	}
	const refusal = await refusalOf(await read(sim, newTaskId()));
	expect(refusal).toEqual([404, expect.stringContaining('task_not_found')]);
});

test('answers 429 while too many tasks are unfinished', async () => {
	const busy = await scene.start({ maxUnfinishedTasks: 2 });
	const id = await createdId(busy);
	await createdId(busy);
	const refused = await create(busy);
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
	busy.finish(id);
	expect((await create(busy)).status).toBe(200);
});

test('says when to come back while too many tasks are unfinished, if it is told to', async () => {
	const busy = await scene.start({ maxUnfinishedTasks: 1, unfinishedRetryAfterSeconds: 2 });
	await createdId(busy);
	const refused = await create(busy);
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
});

test('answers 429 with Retry-After when creates come too fast', async () => {
	const slow = await scene.start({ createsPerSecond: 1 });
	expect((await create(slow)).status).toBe(200);
	scene.nowMs += 999;
	const refused = await create(slow);
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
	scene.nowMs += 1;
	expect((await create(slow)).status).toBe(200);
});

test('forgets everything on reset, in the same arrays', async () => {
	const { requests } = sim;
	const id = await createdId(sim);
	sim.script({ on: 'any', fault: { kind: 'status', status: 500 } });
	sim.planTask({ immediate: true });
	sim.serve(`/${TASKS_PATH}/${id}`);
	sim.reset();
	expect([requests.length, sim.tasks.size]).toEqual([0, 0]);
	expect((await read(sim, id)).status).toBe(404);
	expect(await recordOf(await create(sim))).toMatchObject({ status: 'pending' });
	expect(requests).toHaveLength(2);
});
