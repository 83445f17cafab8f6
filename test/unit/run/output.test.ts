import { outputOf } from '../../../nodes/Videogen/run/output';
import type { State } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, Job, Outcome, ReadPlan } from '../../../nodes/Videogen/work/session';
import { failureOf, orderOf, planOf, taskOf } from '../../support/orders';

const FAILURE = failureOf('failed');
const RESULTS = ['https://e.com/fox.mp4', { url: 'x' }];
const RECORD = { progress: 40, results: RESULTS, model: 'm', created: 7, error: 'Busy' };
const file = { data: 'x', mimeType: 'video/mp4' };
const downloadTo = 'data';

const LOOK: ReadPlan = { do: 'read', index: 3, simplify: true, taskId: 'task_1' };
const look: Job = { do: 'read', plan: LOOK };
const TASK: State = { is: 'task', by: ['1'], taskId: 'task_1' };
const jobOf = (plan: Partial<CreatePlan> = {}, state: State = TASK): Job => ({
	do: 'create',
	plan: planOf('A fox', { index: 3, ...plan }),
	order: orderOf(state),
});

test.each([
	['processing', { progress: 40 }],
	['completed', {}],
	['failed', { failure: 'Busy' }],
])('a record that is %s goes out simplified, or as it was received', (status, more) => {
	const task = taskOf(status, RECORD);
	const simple = { id: 'task_1', status, videoUrl: RESULTS[0], results: RESULTS, model: 'm' };
	expect(outputOf({ job: jobOf(), outcome: { task } })).toEqual({
		json: { ...simple, prompt: 'A fox', duration: 5, ...more },
		pairedItem: { item: 3 },
	});
	const whole = outputOf({ job: jobOf({ simplify: false }), outcome: { task } });
	expect(whole.json).toEqual(task.record);
	expect(outputOf({ job: look, outcome: { task } }).json).toEqual({ ...simple, ...more });
});

test.each<[string, Partial<CreatePlan>, Outcome, object | undefined]>([
	['in their fields', { downloadTo }, { files: [file, file] }, { data: file, data_1: file }],
	['where there are none', { downloadTo }, { files: [] }, undefined],
	['where they are not asked for', {}, { files: [file] }, undefined],
	['of an error', { downloadTo }, { files: [file], failure: FAILURE }, undefined],
])('files go out %s', (_what, plan, outcome, binary) => {
	const task = taskOf('completed');
	expect(outputOf({ job: jobOf(plan), outcome: { task, ...outcome } }).binary).toEqual(binary);
});

const task = taskOf('queued');
const ofTask = { taskId: 'task_1', status: 'queued', task: task.record };
const SENT: State = { is: 'sent', by: ['1'], mayExist: true };
const ENDED: State = { is: 'final', by: ['1'], failure: FAILURE, taskId: 'task_1', task };
const stopped: Job = { do: 'stop', plan: planOf(), failure: FAILURE };
test.each<[string, Job, Outcome, object]>([
	['of nothing', stopped, {}, {}],
	['of an order', jobOf({}, SENT), {}, { orderId: 'order' }],
	['of a task', jobOf(), { task }, { orderId: 'order', ...ofTask }],
	['of its last try', { ...stopped, order: orderOf(ENDED) }, {}, { orderId: 'order', ...ofTask }],
	['of a task to be read', look, {}, { taskId: 'task_1' }],
])('an error says what is known %s', (_what, job, outcome, known) => {
	const { json } = outputOf({ job, outcome: { failure: FAILURE, ...outcome } });
	expect(json).toEqual({ error: { ...FAILURE, ...known } });
});
