import type { Suite } from '../support/suite';
import { saidBy, waiting } from '../support/workflows';

/** Values that n8n itself gives. */
export function testValues(n8n: Suite): void {
	it('refuses the resume URL of this execution while it waits itself', async () => {
		const parameters = waiting({ callbackUrl: '={{ $execution.resumeUrl }}' });
		const said = saidBy(await n8n.run({ parameters: { ...parameters, prompt: 'A fox' } }, 'error'));
		expect(said).toContain('Callback URL');
		expect(said).toContain('Wait for Completion');
		expect(n8n.sim.requests).toEqual([]);
	});

	it('sends whoever runs n8n’s own Custom API Call to the HTTP Request node', async () => {
		const parameters = { operation: '__CUSTOM_API_CALL__' };
		const said = saidBy(await n8n.run({ parameters }, 'error'));
		expect(said).toContain('HTTP Request');
		expect(n8n.sim.requests).toEqual([]);
	});
}
