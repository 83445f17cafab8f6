import { startSimulator } from '../../simulator';
import { pollUntil } from '../../n8n/poll';
import { videogenNode } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_CALL, STARTED_TIMEOUT_MS, waiting } from '../vocabulary';

const EXECUTIONS = 30;
const SERVICE = {
	maxUnfinishedTasks: 3,
	unfinishedRetryAfterSeconds: 1,
	taskDurationMs: 2_000,
};
/** On average; executions that share nothing ask far more often. */
const MAX_CREATES_PER_VIDEO = 5;

/** Many executions of one video each, at a service that takes three at a time. */
export function testHerd(n8n: Suite): void {
	it(`gets ${EXECUTIONS} executions at once through a service that takes 3 tasks at a time`, async () => {
		const service = n8n.closeAtEnd(await startSimulator(SERVICE));
		const credential = await n8n.credential({ baseUrl: service.baseUrl });
		const create = videogenNode({ parameters: { ...PROMPT_OF_CALL, ...waiting() } });
		const workflow = await n8n.publish([create], { credentials: { videogenApi: credential } });
		const prompts = Array.from({ length: EXECUTIONS }, (_, index) => `video ${index}`);
		await Promise.all(prompts.map(async (prompt) => await workflow.call(prompt)));

		// n8n answers a call before it has stored the execution.
		const allOf = async () => {
			const ids = await workflow.executionIds();
			return ids.length >= EXECUTIONS ? ids : undefined;
		};
		const what = `${EXECUTIONS} executions to begin`;
		const ids = await pollUntil(allOf, { what, timeoutMs: STARTED_TIMEOUT_MS });
		await Promise.all(ids.map(async (id) => await n8n.ended(id)));
		const tasks = [...service.tasks.values()];
		expect(tasks.map(({ prompt }) => prompt).sort()).toEqual(prompts.sort());
		const creates = service.creates();
		expect(creates.some(({ status }) => status === 429)).toBe(true);
		process.stderr.write(`n8n ${n8n.version}: ${creates.length} creates, ${EXECUTIONS} videos\n`);
		expect(creates.length / EXECUTIONS).toBeLessThanOrEqual(MAX_CREATES_PER_VIDEO);
	});
}
