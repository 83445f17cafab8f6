import { TRIGGER_NODE } from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { filesHolding } from '../../programs/support/filesHolding';
import type { Suite } from '../beds/suite';
import type { Testbed } from '../../programs/realN8n/testbed';
import { WRONG_KEY } from '../vocabulary';

/** Fails when anything that n8n saved or printed holds a key: database, settings, files, log. */
export async function expectNoKeyOnDisk({ folder, sim }: Testbed): Promise<void> {
	for (const key of [DEFAULT_API_KEY, WRONG_KEY]) {
		expect(await filesHolding(folder, key)).toEqual([]);
	}
	// The URL stands in the executions, so this finds the database.
	const withUrl = await filesHolding(folder, sim.baseUrl);
	expect(withUrl.some((file) => file.includes('database.sqlite'))).toBe(true);
}

/** Must come last: it reads everything that n8n saved and printed. */
export function testSecrets(n8n: Suite): void {
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
		await expectNoKeyOnDisk(n8n.bed);
	});
}
