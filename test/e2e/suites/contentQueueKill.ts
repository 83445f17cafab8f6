import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pollUntil } from '../../n8n/poll';
import type { N8nVersion } from '../../n8n/recipes';
import { sampleMp4 } from '../../support/sampleFiles';
import { Suite } from '../beds/suite';
import { startTestbed } from '../beds/testbed';
import { STANDING_STILL, STARTED_TIMEOUT_MS, jsonFrom } from '../vocabulary';
import { COLLECT, CREATE, CREATES, QUEUE, Queue, holding, rowOf } from './contentQueue';

const PROMPT = 'A fox';
/** Longer than the test; n8n stays in the node for it. */
const HOLD_SECONDS = 60;
const AT_ONCE = { checkAfterMinutes: '0' };
const LEFT = expect.stringContaining('may have been paid');
const SENT_BY = expect.stringMatching(/^Being sent by execution \d+$/);

/** The content calendar when n8n dies by `kill -9`: a row is created once at most. */
export function testContentQueueKill(version: N8nVersion): void {
	describe(`the content calendar of ${QUEUE}, when n8n is killed`, () => {
		const n8n = new Suite(version, startTestbed);
		beforeEach(() => n8n.sim.reset());

		const killAndRestart = async () => {
			await n8n.bed.kill();
			await n8n.bed.restart();
		};
		/** Both schedules, as often as it takes to see that nothing more comes of it. */
		const runOn = async (queue: Queue) => {
			for (const trigger of [CREATE, COLLECT, CREATE]) await queue.run(trigger, AT_ONCE);
		};
		const done = (taskId: string) =>
			rowOf(PROMPT, 'done', { taskId, result: path.join(n8n.bed.filesFolder, `${taskId}.mp4`) });
		const expectDone = async (queue: Queue) => {
			const { id } = n8n.onlyTask();
			expect(await queue.rows()).toEqual([done(id)]);
			expect(await readFile(path.join(n8n.bed.filesFolder, `${id}.mp4`))).toEqual(sampleMp4());
			expect(n8n.sim.creates()).toHaveLength(1);
		};

		it('before the create: the row waits for a person, who opens it again', async () => {
			const queue = await Queue.of(n8n, [PROMPT]);
			await queue.start(CREATE, holding(queue.workflow(), ['Only Mine', CREATES], HOLD_SECONDS));
			const isSending = async () => (await queue.statuses())[0] === 'sending' || undefined;
			await pollUntil(isSending, { what: 'the row to be sent', timeoutMs: STARTED_TIMEOUT_MS });
			await killAndRestart();

			await runOn(queue);
			expect(await queue.rows()).toEqual([
				rowOf(PROMPT, 'sending', { result: SENT_BY, error: LEFT }),
			]);
			expect(n8n.sim.creates()).toEqual([]);

			n8n.sim.planTask({ immediate: true });
			await queue.edit('sending', { status: 'open' });
			await queue.run(CREATE);
			await queue.run(COLLECT);
			await expectDone(queue);
		});

		it('between the create and the writing: the row waits for a person, who writes its task', async () => {
			const { sim } = n8n;
			const queue = await Queue.of(n8n, [PROMPT]);
			sim.planTask({ immediate: true });
			sim.script({ on: 'create', fault: { kind: 'slow', ms: HOLD_SECONDS * 1_000 } });
			await queue.start(CREATE);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
			await killAndRestart();

			await runOn(queue);
			const report = jsonFrom(await queue.run(COLLECT, AT_ONCE), 'Rows to Check');
			expect(report).toMatchObject([{ rowsToCheck: [{ prompt: PROMPT, error: LEFT }] }]);
			expect(await queue.rows()).toEqual([
				rowOf(PROMPT, 'sending', { result: SENT_BY, error: LEFT }),
			]);
			expect(sim.creates()).toHaveLength(1);

			await queue.edit('sending', { status: 'submitted', taskId: n8n.onlyTask().id });
			await queue.run(COLLECT);
			await expectDone(queue);
		});

		it('in production, by its own schedules: it goes on, and sends nothing again', async () => {
			const { sim } = n8n;
			const queue = await Queue.of(n8n, [PROMPT]);
			sim.planTask({ immediate: true });
			sim.script({ on: 'create', fault: { kind: 'slow', ms: HOLD_SECONDS * 1_000 } });
			const saved = await queue.publish(AT_ONCE);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
			await killAndRestart();

			await queue.edit('sending', { error: '' });
			await queue.until('error', 'may have been paid');
			expect(sim.creates()).toHaveLength(1);
			await queue.edit('sending', { status: 'submitted', taskId: n8n.onlyTask().id });
			await queue.until('status', 'done');
			await n8n.api.unpublish(saved);
			await expectDone(queue);
		});

		it('while the service works: the next run goes on', async () => {
			const queue = await Queue.of(n8n, [PROMPT]);
			n8n.sim.planTask(STANDING_STILL);
			await queue.run(CREATE);
			const { id: taskId } = n8n.onlyTask();
			await killAndRestart();

			await runOn(queue);
			expect(await queue.rows()).toEqual([rowOf(PROMPT, 'submitted', { taskId })]);
			n8n.sim.finish(taskId);
			await runOn(queue);
			await expectDone(queue);
		});

		it('while a video is saved: the next run saves it', async () => {
			const { sim } = n8n;
			const queue = await Queue.of(n8n, [PROMPT]);
			sim.planTask({ immediate: true });
			await queue.run(CREATE);
			sim.script({ on: 'result', fault: { kind: 'stall' } });
			await queue.start(COLLECT);
			await sim.waitForRequest(({ route }) => route === 'result', STARTED_TIMEOUT_MS);
			await killAndRestart();

			expect(await queue.statuses()).toEqual(['submitted']);
			await runOn(queue);
			await expectDone(queue);
		});
	});
}
