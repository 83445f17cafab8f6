import { type RunResult, errorOf } from '../support/engine';
import { CONTINUE, errorIn, kindOf, status, useEngine } from '../support/useEngine';

const { simulator, run, runNode, taskOf, tasksOf } = useEngine();

const EXTRA = {
	usage: { seconds: 5 },
	task_info: { can_cancel: false },
	'x-unknown': [1, { a: 2 }],
};

const jsonOf = ({ output }: RunResult) => output.map(({ json }) => json);

test('with Simplify a video is its ID, status, link and what it was created from, in this order', async () => {
	simulator.script({ on: 'any', times: Infinity, fault: { kind: 'merge', fields: EXTRA } });
	const [json] = jsonOf(await run(['one'], { more: { simplify: true } }));
	const { id, results, model } = taskOf('one').record();
	const { usage } = EXTRA;
	const videoUrl = results?.[0];
	expect(videoUrl).toMatch(/^http/);
	const found = { id, status: 'completed', videoUrl, results };
	const asked = { prompt: 'one', duration: 5, quality: '720p' };
	const expected = { ...found, ...asked, model, usage };
	expect(JSON.stringify(json)).toBe(JSON.stringify(expected));
	const parameters = { operation: 'getTask', taskId: id, simplify: true };
	expect(jsonOf(await runNode({ parameters }))).toEqual([{ ...found, model, usage }]);
});

test('the error of a completed task that the service knows no more has the record last known', async () => {
	simulator.script({ on: 'result', times: Infinity, fault: status(403) });
	const more = { downloadResults: true, options: { timeoutMinutes: 1 } };
	const first = await run(['one'], { more });
	expect(kindOf(first)).toBe('download');
	simulator.script({ on: 'task', times: Infinity, fault: status(404) });
	const { context } = errorOf(await run(['one'], { retryOf: first }));
	expect(context).toMatchObject({ kind: 'notFound', task: { results: taskOf('one').results() } });
	expect(tasksOf('one')).toHaveLength(1);
});

test('an error advises a retry only where the node stops, because n8n offers no other', async () => {
	simulator.planTask({ outcome: 'never', times: 2 });
	const more = { options: { timeoutMinutes: 1 } };
	const stopped = errorOf(await run(['one'], { more }));
	expect(stopped.description).toMatch(/, or retry this execution\./);
	const result = await run(['two'], { more, settings: CONTINUE });
	const description = expect.not.stringMatching(/\bretry\b/);
	expect(errorIn(result)).toMatchObject({ kind: 'timeout', description });
});
