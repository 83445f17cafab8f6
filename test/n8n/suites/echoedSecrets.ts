import {
	requestNode,
	triggerNode,
	videogenNode,
	VIDEOGEN_NODE,
} from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { filesHolding } from '../../support/filesHolding';
import { samplePng } from '../../../tools/simulator/sampleFiles';
import { served, type Suite } from '../support/suite';
import { FROM_FILE, jsonFrom, waiting } from '../support/workflows';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What a service may send that means no good. */
export function testEchoedSecrets(n8n: Suite): void {
	it('what it sent as a secret is nowhere when a service gives it back', async () => {
		n8n.sim.planTask({ outcome: 'never' });
		const node = videogenNode({ parameters: { ...FROM_FILE, ...waiting() } });
		const file = requestNode('Fetch', served(n8n.sim, 'frame.png', samplePng()), 'data');
		const executionId = await n8n.start(n8n.chain([triggerNode(), file, node]));
		await n8n.sim.waitForRequest(({ route }) => route === 'create');
		const body = Object(n8n.createdBodies()[0]);
		const link = new URL(body.image_urls[0]);
		const secrets = [
			String(link.searchParams.get('token')),
			...[DEFAULT_API_KEY, base64(DEFAULT_API_KEY), base64(`Bearer ${DEFAULT_API_KEY}`)],
		];
		const said = { sent: body, said: secrets, url: encodeURIComponent(link.href) };
		const fault = { kind: 'merge', fields: { request_log: said } } as const;
		n8n.sim.script({ on: 'task', times: Infinity, fault });
		n8n.sim.finish(n8n.onlyTask().id);

		const execution = await n8n.ended(executionId);
		const shown = JSON.stringify(jsonFrom(execution, VIDEOGEN_NODE));
		for (const mark of ['[API key]', '[token]']) expect(shown).toContain(mark);
		// Executions, the stream of events and the log, which is written at its most talkative level.
		const log = await n8n.environment.log();
		for (const secret of secrets) {
			expect(execution.raw).not.toContain(secret);
			expect(log).not.toContain(secret);
			expect(await filesHolding(n8n.environment.folder, secret)).toEqual([]);
		}
	});
}
