import type { IDataObject } from 'n8n-workflow';
import { fastClock } from '../programs/support/clocks';
import { useEngine } from './useEngine';

/** The fields of the node as a person finds them; the other tests switch both of these off. */
const AS_IT_COMES = { simplify: true, downloadResults: true };
// Virtual time does not stand still while a file comes.
const { simulator, run, startNode, taskOf } = useEngine({
	parameters: AS_IT_COMES,
	clock: fastClock(),
});

const EXTRA = {
	usage: { seconds: 5 },
	task_info: { can_cancel: false },
	'x-unknown': [1, { a: 2 }],
};

const getTask = async (taskId: string, more: IDataObject = {}) =>
	await startNode({
		parameters: { operation: 'getTask', taskId, simplify: true, ...more },
		items: [{}],
	}).result;

const jsonOf = ({ output }: Awaited<ReturnType<typeof run>>) => output.map(({ json }) => json);

describe('with Simplify', () => {
	beforeEach(() =>
		simulator.script({ on: 'any', times: Infinity, fault: { kind: 'merge', fields: EXTRA } }),
	);

	test('a video is its ID, its status, its link and what it was made of, in this order', async () => {
		const [json] = jsonOf(await run(['one']));
		const { id, results, model } = taskOf('one').record();
		const { usage } = EXTRA;
		const videoUrl = results?.[0];
		expect(videoUrl).toMatch(/^http/);
		const found = { id, status: 'completed', videoUrl, results };
		const asked = { prompt: 'one', duration: 5, quality: '720p' };
		const expected = { ...found, ...asked, model, usage };
		expect(JSON.stringify(json)).toBe(JSON.stringify(expected));
		expect(jsonOf(await getTask(String(id)))).toEqual([{ ...found, model, usage }]);
	});
});

describe('the video as a file', () => {
	test('comes with a create unless it is switched off', async () => {
		const { output } = await run(['one']);
		expect(output[0]?.binary).toHaveProperty('data');
		const off = await run(['two'], { more: { downloadResults: false } });
		expect(off.output[0]?.binary).toBeUndefined();
	});

	test('does not go to agents and MCP clients, which could not take it', async () => {
		const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };
		const result = await run(['one'], { settings });
		expect(result.output[0]?.binary).toBeUndefined();
		expect(jsonOf(result)[0]).toHaveProperty('videoUrl');
	});
});
