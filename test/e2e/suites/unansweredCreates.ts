import { startSimulator, type Fault, type Simulator } from '../../programs/simulator';
import type { Suite } from '../beds/suite';
import { LOST, jsonOf, notWaiting, saidBy, waiting } from '../vocabulary';

/** Answers that tell no id although the service has made the task. */
const WITHOUT_ID: Array<[what: string, fault: Fault]> = [
	[
		'503 of a proxy',
		{
			kind: 'status',
			status: 503,
			body: 'upstream connect error or disconnect/reset before headers',
		},
	],
	['303 that leads to no task', { kind: 'redirect', status: 303, location: '/v1/elsewhere' }],
];
const NAMED_ID = 'task_0123456789abcdefghijklmn';
/** Answers other than 2XX that tell the id. */
const NAMING: Array<[what: string, fault: Fault]> = [
	[
		'a redirect',
		{
			kind: 'redirect',
			status: 303,
			// Nothing is sent to that host: the test of contacts would see it.
			location: `https://videos.invalid/v1/tasks/${NAMED_ID}`,
		},
	],
	['a 500 with its record', { kind: 'misplaced', status: 500 }],
];
const parameters = { prompt: 'A fox', ...waiting() };

/** What a create ordered is found again, by what names it or by its order key. */
export function testOrderedCreates(n8n: Suite): void {
	it('a create that got no answer is sent again when the user allows it, and makes one task where order keys are honoured', async () => {
		n8n.sim.takeOrderKeys('honoured');
		n8n.sim.script(LOST);
		const workflow = n8n.workflow({ parameters, maxTries: 3 });
		const saved = await n8n.api.createWorkflow(workflow);
		const first = await n8n.ended(await n8n.api.runWorkflow(saved), 'error');
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(saidBy(first)).toMatch(/may have created a task/);

		const second = await n8n.retry(first, 'error');
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(saidBy(second)).toMatch(/may have created a task/);

		const options = { resendAfterNoReply: true };
		const { nodes } = n8n.workflow({ parameters: { ...parameters, options }, maxTries: 3 });
		await n8n.api.updateNodes({ ...saved, nodes: nodes.map((node) => ({ ...node })) });
		const third = await n8n.retry(second, 'success', true);
		expect(n8n.sim.creates()).toHaveLength(2);
		expect(n8n.sim.tasks.size).toBe(1);
		expect(jsonOf(third)).toMatchObject([{ id: n8n.onlyTask().id, status: 'completed' }]);
	});

	it.each(NAMING)(
		'a task that is named by %s is read and not ordered again',
		async (_what, fault) => {
			n8n.sim.planTask({ id: NAMED_ID });
			n8n.sim.script({ on: 'create', createTask: true, times: Infinity, fault });
			const execution = await n8n.run({ parameters, maxTries: 3 });
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
			expect(jsonOf(execution)).toMatchObject([{ id: NAMED_ID, status: 'completed' }]);
		},
	);
}

/** A task may exist that nobody can name: paying twice is for the user to decide. */
export function testUnansweredCreates(n8n: Suite): void {
	it.each(WITHOUT_ID)(
		'a create that is answered %s makes one task, also with Retry On Fail and Retry',
		async (_what, fault) => {
			n8n.sim.script({ on: 'create', createTask: true, times: Infinity, fault });
			const first = await n8n.run({ parameters, maxTries: 3 }, 'error');
			expect({ tasks: n8n.sim.tasks.size, creates: n8n.sim.creates().length }).toEqual({
				tasks: 1,
				creates: 1,
			});
			expect(saidBy(first)).toMatch(/may have created a task/);
			expect(saidBy(first)).toMatch(/switch on 'Retry Unanswered Requests' in 'Options'/);
			await n8n.retry(first, 'error');
			expect(n8n.sim.tasks.size).toBe(1);
		},
	);
}

/** Longer than a minute, which many clients wait at most. */
const LATE_MS = 63_000;

/**
 * A create that the service takes its time to answer. Call before the other tests, inside
 * `describe` and after the server's own `beforeAll`.
 * @returns Registers the test; call it after the other tests.
 */
export function startLateCreate(n8n: Suite): () => void {
	let executionId: string;
	let service: Simulator;
	beforeAll(async () => {
		service = n8n.closeAtEnd(await startSimulator());
		service.script({ on: 'create', fault: { kind: 'slow', ms: LATE_MS } });
		const credential = await n8n.credential({ baseUrl: service.baseUrl });
		executionId = await n8n.start(
			n8n.workflow({ credential, parameters: { prompt: 'A fox', ...notWaiting } }),
		);
	});

	const test = async () => {
		const execution = await n8n.ended(executionId, 'success');
		expect(service.creates()).toHaveLength(1);
		expect(jsonOf(execution).map(({ id }) => id)).toEqual([...service.tasks.keys()]);
	};
	return () => it('gets the task of a create that is answered after 63 seconds', test);
}
