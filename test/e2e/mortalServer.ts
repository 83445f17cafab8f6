import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nApi, type CredentialRef } from '../n8n/api';
import { startWithCleanups, type Cleanups } from '../n8n/cleanups';
import { contactsIn, notingContacts, type Contact } from '../n8n/contacts';
import { ensureN8n } from '../n8n/install';
import { logReader } from '../n8n/log';
import { installNode, packNode } from '../n8n/package';
import { freePort } from '../n8n/ports';
import type { N8nVersion } from '../n8n/recipes';
import { startN8n, type StartOptions } from '../n8n/server';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../simulator';
import { OWNER } from './harness';

/** A single n8n that can be killed and started again with the same data at the same address. */
export interface MortalServer {
	api: N8nApi;
	sim: Simulator;
	credential: CredentialRef;
	/** Everything that n8n saves, and its log. */
	userFolder: string;
	/** Everything that n8n has contacted so far. */
	contacts(): Promise<Contact[]>;
	/** What n8n has printed, also before it was killed. */
	log(): Promise<string>;
	/** Ends n8n as `kill -9` does. */
	kill(): Promise<void>;
	/** Ends n8n as an update, a deploy or `docker restart` does: it is asked, and given its time. */
	terminate(): Promise<void>;
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts everything afresh in a temporary folder; the build must be up to date. */
export async function startMortalServer(version: N8nVersion): Promise<MortalServer> {
	return await startWithCleanups(async (cleanups) => await start(version, cleanups));
}

async function start(version: N8nVersion, cleanups: Cleanups): Promise<Omit<MortalServer, 'stop'>> {
	await ensureN8n(version, { onProgress: (line) => process.stderr.write(`${line}\n`) });
	const userFolder = await mkdtemp(path.join(tmpdir(), 'videogen-kill-'));
	cleanups.add(async () => await rm(userFolder, { recursive: true, force: true }));
	await installNode(userFolder, await packNode(path.join(userFolder, 'package')));
	const sim = await startSimulator();
	cleanups.add(async () => await sim.close());

	const notes = path.join(userFolder, 'contacts.txt');
	const env = notingContacts(notes);
	const options: StartOptions = { version, userFolder, port: await freePort(), env };
	let server = await startN8n(options);
	cleanups.add(async () => await server.stop());
	const api = new N8nApi(server.baseUrl);
	await api.setupOwner(OWNER);
	const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
	const credential = await api.createCredential({ name: 'Videogen', data });
	const restart = async () => {
		server = await startN8n(options);
	};
	const { log } = logReader(server.logFile);
	const kill = async () => await server.kill();
	const terminate = async () => await server.terminate();
	const contacts = async () => await contactsIn(notes);
	return { api, sim, credential, userFolder, contacts, log, kill, terminate, restart };
}
