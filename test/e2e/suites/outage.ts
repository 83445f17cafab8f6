import { startSimulator, type Simulator } from '../../simulator';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, status, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second', 'third'];
const OUTAGE_MS = 4 * 60_000;
const TIMEOUT_MINUTES = 10;
/** It has run for a while when its test comes. */
const TEST_TIMEOUT_MS = TIMEOUT_MINUTES * 60_000;

/**
 * A service that is down for minutes. Call before the other tests, inside `describe` and after the
 * server's own `beforeAll`.
 * @returns Registers the test; call it after the other tests.
 */
export function startLongOutage(n8n: Suite): () => void {
	let executionId: string;
	let service: Simulator;
	beforeAll(async () => {
		service = n8n.closeAtEnd(await startSimulator());
		const untilMs = Date.now() + OUTAGE_MS;
		service.script({ on: 'task', times: Infinity, untilMs, fault: status(503) });
		const workflow = n8n.workflow({
			credential: await n8n.credential({ baseUrl: service.baseUrl }),
			parameters: { ...PROMPT_OF_ITEM, ...waiting({ timeoutMinutes: TIMEOUT_MINUTES }) },
			items: itemsOf(PROMPTS),
		});
		executionId = await n8n.start(workflow);
	});

	const test = async () => {
		const execution = await n8n.ended(executionId, 'success', TEST_TIMEOUT_MS);
		expect(jsonOf(execution)).toMatchObject(PROMPTS.map(() => ({ status: 'completed' })));
		expect(service.creates()).toHaveLength(PROMPTS.length);
		const failedAt = service.reads().flatMap((read) => (read.status === 503 ? [read.at] : []));
		expect((failedAt.at(-1) ?? 0) - (failedAt[0] ?? 0)).toBeGreaterThan(OUTAGE_MS / 2);
	};
	return () =>
		it(
			'gets every video after an outage of four minutes, within the Timeout of ten',
			test,
			TEST_TIMEOUT_MS + 60_000,
		);
}
