import { staysHere } from '../../../tools/n8n/contacts';
import type { Testbed } from '../../../tools/n8n/testbed';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { filesHolding } from '../../support/filesHolding';
import type { Suite } from '../support/suite';
import { WRONG_KEY } from '../support/workflows';

/** Fails when anything that n8n saved or printed holds a key: database, settings, files, log. */
export async function expectNoKeyOnDisk({ folder, sim }: Testbed): Promise<void> {
	for (const key of [DEFAULT_API_KEY, WRONG_KEY]) {
		expect(await filesHolding(folder, key)).toEqual([]);
	}
	// The URL stands in the executions, so this finds the database.
	const withUrl = await filesHolding(folder, sim.baseUrl);
	expect(withUrl.some((file) => file.includes('database.sqlite'))).toBe(true);
}

/** Fails unless n8n contacted what it needs, and nothing outside this machine. */
export async function expectOnlyOwnHosts({ contacts, neededContacts }: Testbed): Promise<void> {
	const contacted = await contacts();
	expect(contacted.filter((contact) => !staysHere(contact))).toEqual([]);
	expect(contacted).toEqual(expect.arrayContaining(neededContacts));
}

/** Must come last: it looks at what n8n has done all the time, its workers included. */
export function testContacts(n8n: Suite): void {
	it('has contacted no other machine, and looked up the name of none', async () => {
		await expectOnlyOwnHosts(n8n.environment);
	});
}
