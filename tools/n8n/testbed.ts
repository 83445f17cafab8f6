/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nApi, type Login } from './api';
import { startWithCleanups, type Cleanups } from './cleanups';
import { connectionTo, contactsIn, notingContacts } from './contacts';
import { copyNode, installNode, packNode } from './package';
import { freePort } from './ports';
import { startN8n } from './server';
import { NEWEST, SETTINGS, type N8nVersion } from './versions';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';

/** Made on every n8n; tests are logged in as this person. */
export const OWNER: Login = { email: 'owner@example.com', password: 'Videogen-test-1' };
export const TASK_DURATION_MS = 300;

/** n8n's own assistants, which no test uses. */
const ASSISTANTS = ['agents', 'chat-hub', 'instance-ai', 'workflow-builder'];
const WITHOUT_ASSISTANTS = {
	N8N_DISABLED_MODULES: [SETTINGS[NEWEST].N8N_DISABLED_MODULES, ...ASSISTANTS].join(','),
};

/**
 * Copying the editor takes a quarter of n8n's startup time, and few tests open it; the assistants of the
 * newest take a fifth. Older versions refuse to start when they read their names.
 */
const withoutEditor = (version: N8nVersion) => ({
	N8N_DISABLE_UI: 'true',
	...(version === NEWEST && WITHOUT_ASSISTANTS),
});
/** With its editor, and with its assistants. */
export const withEditor = (version: N8nVersion) => ({
	...SETTINGS[version],
	N8N_DISABLE_UI: 'false',
});

/** The process that runs Code nodes, of which no test has one, takes n8n two seconds of a core. */
const WITHOUT_RUNNER = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'of-nobody' };

/** A real n8n with the node installed, and a simulated service that it can reach. */
export type Testbed = Awaited<ReturnType<typeof startTestbed>>;

/** What there is before n8n is started. */
export type Place = Awaited<ReturnType<typeof prepare>>;

/**
 * Starts a single n8n afresh in a temporary folder; it is installed, and the build is up to date.
 * @param packed Whether the node is packed and installed by npm, which takes its time.
 */
export async function startTestbed(
	version: N8nVersion,
	env: Record<string, string> = {},
	packed = false,
) {
	return await startWithCleanups(async (cleanups) => {
		const place = await prepare(version, cleanups, packed);
		return await startMain({ ...place, env: { ...place.env, ...env } });
	});
}

export async function prepare(version: N8nVersion, cleanups: Cleanups, packed = false) {
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-n8n-'));
	cleanups.add(async () => await rm(folder, { recursive: true, force: true }));
	/** The node as it would be published, to be installed as people do; else the build is copied. */
	const tarball = packed ? await packNode(path.join(folder, 'package')) : undefined;
	/** Of n8n, or of its main process in queue mode. */
	const port = await freePort();
	/** Settings of all n8n processes. */
	const env = {
		...withoutEditor(version),
		...WITHOUT_RUNNER,
		...notingContacts(contactNotes(folder)),
	};
	return { version, folder, tarball, port, env, cleanups };
}

const contactNotes = (folder: string): string => path.join(folder, 'contacts.txt');

/** Starts the simulator and n8n, and makes the owner and the credential. */
export async function startMain(place: Place) {
	const { version, folder, tarball, port, env, cleanups } = place;
	const sim = await startSimulator({ taskDurationMs: TASK_DURATION_MS });
	cleanups.add(async () => await sim.close());

	const userFolder = path.join(folder, 'main');
	await (tarball === undefined ? copyNode(userFolder) : installNode(userFolder, tarball));
	const start = async (more = {}) =>
		await startN8n({ version, userFolder, env: { ...env, ...more } }, port);
	let server = await start();
	cleanups.add(async () => await server.kill());

	const api = new N8nApi(server.baseUrl);
	await api.login(OWNER);
	const service = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
	const { log, waitForLog } = server;
	return {
		api,
		sim,
		/** Everything that n8n saves and prints: its database, settings, files and log. */
		folder,
		...{ log, waitForLog },
		/** Holds the simulator's address and a key that it accepts. */
		credential: await api.createCredential('Videogen', service),
		/** Ends n8n as `kill -9` does. */
		kill: async () => await server.kill(),
		/** Ends n8n as an update, a deploy or `docker restart` does: it is asked, and given its time. */
		terminate: async () => await server.stop(),
		/** Starts n8n again, at the same address and with the same data, without its editor. */
		restart: async (more: Record<string, string> = {}) => {
			server = await start({ ...withoutEditor(version), ...more });
		},
		/** Everything that n8n has contacted so far. */
		contacts: async () => await contactsIn(contactNotes(folder)),
		/** What it needs to contact to do its work. */
		neededContacts: [connectionTo(sim.port)],
	};
}
