import type { RunResult } from '../support/engine';
import { TOOL, useEngine } from '../support/useEngine';

/** The fields of the node as a person finds them; the other tests switch both of these off. */
const AS_IT_COMES = { simplify: true, downloadResults: true };
const { simulator, run, runNode, taskOf } = useEngine({ parameters: AS_IT_COMES });

const EXTRA = {
	usage: { seconds: 5 },
	task_info: { can_cancel: false },
	'x-unknown': [1, { a: 2 }],
};

const jsonOf = ({ output }: RunResult) => output.map(({ json }) => json);

test('with Simplify a video is its ID, status, link and what it was created from, in this order', async () => {
	simulator.script({ on: 'any', times: Infinity, fault: { kind: 'merge', fields: EXTRA } });
	const [json] = jsonOf(await run(['one']));
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

test('a video does not go to agents and MCP clients, which could not take it', async () => {
	const result = await run(['one'], { settings: TOOL });
	expect(result.output[0]?.binary).toBeUndefined();
	expect(jsonOf(result)[0]).toHaveProperty('videoUrl');
});
