import { TRIGGER_NODE, VIDEOGEN_NODE } from '../../n8n/workflows';
import { DEFAULT_API_KEY } from '../../simulator';
import { filesHolding } from '../../support/filesHolding';
import { ECHOES, REDACTED_ECHO, shownBy } from '../echoes';
import { waiting, type Suite } from '../suite';

/** A key that the service refuses. */
export const WRONG_KEY = 'wrong-key-0987654321';

/** Must come last: it reads everything that n8n saved and printed. */
export function testSecrets(n8n: Suite): void {
	it.each(ECHOES)('shows no API key when $where repeats it', async ({ arrange, status }) => {
		arrange(n8n.sim);
		const execution = await n8n.run({ parameters: { prompt: 'A fox', ...waiting() } });
		expect(execution.status).toBe(status);
		expect(shownBy(execution, VIDEOGEN_NODE)).toContain(REDACTED_ECHO);
		expect(execution.raw).not.toContain(DEFAULT_API_KEY);
	});

	it('has left no API key in any execution or in the log', async () => {
		const log = await n8n.bed.log();
		expect(n8n.executions.length).toBeGreaterThan(10);
		for (const text of [log, ...n8n.executions.map(({ raw }) => raw)]) {
			expect(text).not.toContain(DEFAULT_API_KEY);
			expect(text).not.toContain(WRONG_KEY);
		}
		expect(n8n.executions.some(({ raw }) => raw.includes(TRIGGER_NODE))).toBe(true);
	});

	it('has left the API key readable in nothing that n8n saved: database, settings, files', async () => {
		const { userFolder } = n8n.bed;
		expect(await filesHolding(userFolder, DEFAULT_API_KEY)).toEqual([]);
		expect(await filesHolding(userFolder, WRONG_KEY)).toEqual([]);
		// The address stands in the executions, so this finds the database.
		const withAddress = await filesHolding(userFolder, n8n.sim.baseUrl);
		expect(withAddress.some((file) => file.includes('database.sqlite'))).toBe(true);
	});
}
