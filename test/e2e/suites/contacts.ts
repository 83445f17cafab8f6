import { connectionTo, staysHere, type Contact } from '../../n8n/contacts';
import type { QueueBed } from '../queueBed';
import type { Suite } from '../suite';

/** Fails unless these were contacted, and nothing outside this machine. */
export function expectOnlyOwnHosts(contacts: Contact[], needed: Contact[]): void {
	expect(contacts.filter((contact) => !staysHere(contact))).toEqual([]);
	expect(contacts).toEqual(expect.arrayContaining(needed));
}

const TITLE = 'has contacted no other machine, and looked up the name of none';

/** Must come last: it looks at what n8n has done all the time. */
export function testContacts(n8n: Suite): void {
	it(TITLE, async () => {
		expectOnlyOwnHosts(await n8n.bed.contacts(), [connectionTo(n8n.sim.port)]);
	});
}

/** The same of the main process and all workers. */
export function testQueueContacts(bed: QueueBed): void {
	it(TITLE, async () => {
		expectOnlyOwnHosts(await bed.contacts(), bed.neededContacts);
	});
}
