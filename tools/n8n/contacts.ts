/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LOOPBACK } from './ports';

const NOTES_MODULE = path.join(__dirname, 'contactNotes.cjs');

/** Settings by which a Node process, and all that it starts, writes down whom it contacts. */
export const notingContacts = (file: string): Record<string, string> => ({
	NODE_OPTIONS: `--require ${JSON.stringify(NOTES_MODULE)}`,
	CONTACT_NOTES: file,
});

/** All that was written down, each contact once. */
export async function contactsIn(file: string): Promise<string[]> {
	const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
	return [...new Set(lines)].sort();
}

/** A connection to a port of this machine. */
export const connectionTo = (port: number): string => `connect ${LOOPBACK}:${port}`;

const STAYS_HERE = /^(connect (127\.0\.0\.1|::1|localhost):\d+|lookup (127\.0\.0\.1|localhost))$/;

/** Whether the contact does not leave this machine. */
export const staysHere = (contact: string): boolean => STAYS_HERE.test(contact);
