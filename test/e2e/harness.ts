import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nApi, type CredentialRef } from '../n8n/api';
import { startWithCleanups, type Cleanups } from '../n8n/cleanups';
import { contactsIn, notingContacts, type Contact } from '../n8n/contacts';
import { ensureN8n } from '../n8n/install';
import { logReader, type LogReader } from '../n8n/log';
import { installNode, packNode } from '../n8n/package';
import type { N8nVersion } from '../n8n/recipes';
import { startN8n } from '../n8n/server';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../simulator';

/** For `beforeAll`: the first install of an n8n version takes minutes. */
export const TESTBED_TIMEOUT_MS = 20 * 60_000;

export const OWNER = { email: 'owner@example.com', password: 'Videogen-test-1' };
const TASK_DURATION_MS = 300;

/** A real n8n with the packed node installed, and a simulated service that it can reach. */
export interface Testbed extends LogReader {
	api: N8nApi;
	sim: Simulator;
	/** Holds the simulator's address and a key that it accepts. */
	credential: CredentialRef;
	/** Everything that n8n saves: its database, settings, files and log. */
	userFolder: string;
	/** Id of n8n's process group. */
	processGroup: number;
	/** The only folder in which nodes may read and write files. */
	filesFolder: string;
	/** Everything that n8n has contacted so far. */
	contacts(): Promise<Contact[]>;
	stop(): Promise<void>;
}

/** Starts everything afresh in a temporary folder; the build must be up to date. */
export async function startTestbed(version: N8nVersion): Promise<Testbed> {
	return await startWithCleanups(async (cleanups) => await start(version, cleanups));
}

async function start(version: N8nVersion, cleanups: Cleanups): Promise<Omit<Testbed, 'stop'>> {
	await ensureN8n(version, { onProgress: (line) => process.stderr.write(`${line}\n`) });
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-e2e-'));
	cleanups.add(async () => await rm(folder, { recursive: true, force: true }));
	await installNode(folder, await packNode(path.join(folder, 'package')));

	const sim = await startSimulator({ taskDurationMs: TASK_DURATION_MS });
	cleanups.add(async () => await sim.close());
	const filesFolder = path.join(folder, 'files');
	await mkdir(filesFolder);
	const notes = path.join(folder, 'contacts.txt');
	const env = { N8N_RESTRICT_FILE_ACCESS_TO: filesFolder, ...notingContacts(notes) };
	const server = await startN8n({ version, userFolder: folder, env });
	cleanups.add(server.stop);

	const api = new N8nApi(server.baseUrl);
	await api.setupOwner(OWNER);
	const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
	const credential = await api.createCredential({ name: 'Videogen', data });
	const { processGroup } = server;
	const contacts = async () => await contactsIn(notes);
	const parts = { api, sim, credential, userFolder: folder, processGroup, filesFolder, contacts };
	return { ...parts, ...logReader(server.logFile) };
}
