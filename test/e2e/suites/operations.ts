import type { Suite } from '../beds/suite';
import { STANDING_STILL, jsonOf, notWaiting, waiting } from '../vocabulary';

const FRAME = 'https://example.com/first.png';
const LAST_FRAME = 'https://example.com/last.png';
const ALWAYS_SENT = { prompt: 'A fox', duration: 5, quality: '720p' };

/** Parameters of each create operation, and the body that the contract asks for. */
const CREATES = [
	{
		operation: 'createTextVideo',
		parameters: {},
		body: { model: 'videogen-2.5-text-to-video', ...ALWAYS_SENT },
	},
	{
		operation: 'createImageVideo',
		parameters: { firstFrameUrl: FRAME, lastFrameUrl: LAST_FRAME },
		body: {
			model: 'videogen-2.5-image-to-video',
			...ALWAYS_SENT,
			image_urls: [FRAME, LAST_FRAME],
		},
	},
	{
		operation: 'createReferenceVideo',
		parameters: { imageUrls: `${FRAME}\n${LAST_FRAME}`, videoUrls: 'https://example.com/a.mp4' },
		body: {
			model: 'videogen-2.5-reference-to-video',
			...ALWAYS_SENT,
			image_urls: [FRAME, LAST_FRAME],
			video_urls: ['https://example.com/a.mp4'],
		},
	},
];

/** Services give what they like: paths, base64, escapes, what looks like a query. */
const ODD_IDS = ['Zm9v/YmFy+A==', 'a b#c\\d?x=50%25'];

/** Every operation, waiting and not: what is sent, and what comes out. */
export function testOperations(n8n: Suite): void {
	describe.each(CREATES)('$operation', ({ operation, parameters, body }) => {
		const required = { operation, prompt: 'A fox', ...parameters };
		/** The task that came of one item, which came out as the service told it. */
		const taskOfRun = async (parametersOfWait: Record<string, unknown>) => {
			const execution = await n8n.run({ parameters: { ...required, ...parametersOfWait } });
			expect(n8n.createdBodies()).toEqual([body]);
			const record = n8n.onlyTask().record();
			expect(jsonOf(execution)).toEqual([record]);
			return record;
		};

		it('waits and returns the finished task exactly as the service tells it', async () => {
			expect(await taskOfRun(waiting())).toMatchObject({ status: 'completed' });
		});

		it('returns the accepted task at once when it does not wait', async () => {
			n8n.sim.planTask(STANDING_STILL);
			await taskOfRun(notWaiting);
			expect(n8n.sim.reads()).toEqual([]);
		});
	});

	describe('getTask', () => {
		it('waits until the task is finished', async () => {
			const task = n8n.sim.addTask({ durationMs: 1_500 });
			const parameters = { operation: 'getTask', taskId: task.id, ...waiting() };
			const execution = await n8n.run({ parameters });
			expect(jsonOf(execution)).toEqual([task.record()]);
			expect(jsonOf(execution)).toMatchObject([{ status: 'completed' }]);
			expect(n8n.sim.creates()).toEqual([]);
		});

		it.each(ODD_IDS)('gets a task whose ID is %j', async (id) => {
			n8n.sim.planTask({ id });
			await n8n.run({ parameters: { prompt: 'A fox', ...waiting(), downloadResults: true } });
			const task = n8n.onlyTask();
			expect(task.id).toBe(id);
			const parameters = { operation: 'getTask', taskId: `={{ ${JSON.stringify(id)} }}` };
			expect(jsonOf(await n8n.run({ parameters }))).toEqual([task.record()]);
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(n8n.sim.reads().every(({ taskId }) => taskId === id)).toBe(true);
		});
	});
}
