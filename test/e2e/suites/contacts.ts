import { staysHere } from '../../programs/realN8n/contacts';
import type { Suite } from '../beds/suite';
import type { Testbed } from '../../programs/realN8n/testbed';

/** Fails unless n8n contacted what it needs, and nothing outside this machine. */
export async function expectOnlyOwnHosts({ contacts, neededContacts }: Testbed): Promise<void> {
	const contacted = await contacts();
	expect(contacted.filter((contact) => !staysHere(contact))).toEqual([]);
	expect(contacted).toEqual(expect.arrayContaining(neededContacts));
}

/** Must come last: it looks at what n8n has done all the time, its workers included. */
export function testContacts(n8n: Suite): void {
	it('has contacted no other machine, and looked up the name of none', async () => {
		await expectOnlyOwnHosts(n8n.bed);
	});
}
