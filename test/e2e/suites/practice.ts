import { requestNode, triggerNode, videogenNode } from '../../programs/realN8n/workflows';
import { samplePng } from '../../programs/support/sampleFiles';
import { served, type Suite } from '../beds/suite';
import { FROM_FILE, itemsOf, jsonOf, output, PROMPT_OF_ITEM, resting } from '../vocabulary';

const WITHOUT_KEY = { environment: 'practice' };

/** With a practice credential nothing is asked of anybody, and all else is as it always is. */
export function testPractice(n8n: Suite): void {
	describe('a practice credential', () => {
		const practising = async () => {
			const credential = await n8n.api.createCredential('Practice', WITHOUT_KEY);
			return { videogenApi: credential };
		};
		afterEach(() => expect([...n8n.sim.creates(), ...n8n.sim.reads()]).toEqual([]));

		it('is well, whatever key it still holds', async () => {
			const data = { ...WITHOUT_KEY, apiKey: 'a-key-of-before', baseUrl: n8n.sim.baseUrl };
			const { status, message } = await n8n.api.testCredential(n8n.bed.credential, data);
			expect([status, message]).toEqual(['OK', expect.stringContaining('nothing is sent')]);
		});

		it('makes a clip for each item, plays failures, and Get Task knows the tasks', async () => {
			const credentials = await practising();
			const create = videogenNode({
				parameters: { ...PROMPT_OF_ITEM, downloadResults: true },
				onError: 'continueErrorOutput',
			});
			const prompts = ['A fox', 'A fox', 'A fox [refused]', 'A fox [failed]'];
			const made = await n8n.execute(
				n8n.chain([triggerNode(), create], { credentials, items: itemsOf(prompts) }),
			);
			const tasks = jsonOf(made);
			expect(tasks).toMatchObject(
				Array(2).fill({ status: 'completed', usage: { practice: true } }),
			);
			expect(new Set(tasks.map(({ id }) => id)).size).toBe(2);
			expect((await n8n.fileOf(output(made)[0])).subarray(4, 8).toString()).toBe('ftyp');
			expect(jsonOf(made, 1)).toMatchObject([
				{ error: { kind: 'moderation' } },
				{ error: { kind: 'failed' } },
			]);

			const taskId = String(tasks[0]?.id);
			const get = videogenNode({ parameters: { operation: 'getTask', taskId } });
			const again = await n8n.execute(n8n.chain([triggerNode(), get], { credentials }));
			expect(jsonOf(again)).toEqual([tasks[0]]);
		});

		it('takes a file of an n8n that nobody can reach, and waits where it would rest', async () => {
			const credentials = await practising();
			const file = requestNode('File', served(n8n.sim, 'frame.png', samplePng()), 'data');
			const create = videogenNode({
				parameters: { ...FROM_FILE, ...resting() },
				onError: 'continueRegularOutput',
			});
			const execution = await n8n.execute(
				n8n.chain([triggerNode(), file, create], { credentials }),
			);
			expect(jsonOf(execution)).toMatchObject([{ status: 'completed' }]);
		});
	});
}

/** What a practice task is stands in its ID: a new process reads it there. */
export async function practiceTaskOf(n8n: Suite) {
	const videogenApi = await n8n.api.createCredential('Practice', WITHOUT_KEY);
	const create = videogenNode({ parameters: { prompt: 'A fox', waitForCompletion: false } });
	const options = { credentials: { videogenApi } };
	const [task] = jsonOf(await n8n.execute(n8n.chain([triggerNode(), create], options)));
	const parameters = { operation: 'getTask', taskId: task?.id, waitForCompletion: true };
	return {
		task,
		read: async () => {
			const get = videogenNode({ parameters });
			return jsonOf(await n8n.execute(n8n.chain([triggerNode(), get], options)));
		},
	};
}
