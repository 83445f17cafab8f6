import type { Fault } from '../../simulator';
import type { Suite } from '../beds/suite';
import { jsonOf, waiting } from '../vocabulary';

const ID = 'task_0123456789abcdefghijklmn';
const IS_BUSY = { id: ID, status: 'pending' };
const HAS_FAILED = { id: ID, status: 'failed', error: { message: 'upstream timeout' } };
/** Answers that do not say that all went well, and name the task that the service has made. */
const NAMING: Array<[what: string, fault: Fault]> = [
	['429', { kind: 'json', status: 429, body: IS_BUSY }],
	['409, in a wrapper,', { kind: 'json', status: 409, body: { data: IS_BUSY } }],
	['500 of a gateway, as one that failed,', { kind: 'json', status: 500, body: HAS_FAILED }],
	// Nothing is sent to that host: the test of contacts would see it.
	['303', { kind: 'redirect', status: 303, location: `https://videos.invalid/v1/tasks/${ID}` }],
];

/** Whatever the status of an answer says: a task that it names is read, and what the read says counts. */
export function testNamedTasks(n8n: Suite): void {
	it.each(NAMING)('a task that is named by %s is read and not ordered again', async (_, fault) => {
		n8n.sim.planTask({ id: ID });
		n8n.sim.script({ on: 'create', createTask: true, times: Infinity, fault });
		const parameters = { prompt: 'A fox', ...waiting() };
		const execution = await n8n.run({ parameters, maxTries: 3 });
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
		expect(jsonOf(execution)).toMatchObject([{ id: ID, status: 'completed' }]);
	});
}
