import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cleanups } from './cleanups';
import { contactsIn, notingContacts, type Contact } from './contacts';
import type { Daemon } from './daemon';
import { logReader, type LogReader } from './log';
import { installNode, packNode } from './package';
import { LOOPBACK, freePort } from './ports';
import { startPostgres, type PostgresServer } from './postgres';
import type { N8nVersion } from './recipes';
import { startRedis, type RedisServer } from './redis';
import { startN8n, startWorker, type N8nServer } from './server';

/** An n8n process that executes what the main process hands out. */
export interface Worker extends Daemon, LogReader {
	/** Ids of the executions that it has begun, in that order. */
	begun(): Promise<string[]>;
}

export interface WorkerOptions {
	/** How many executions it has at once. */
	concurrency?: number;
	/** Further settings; they win over the ones set here. */
	env?: Record<string, string>;
	/** Whether the node is installed in the worker's user folder; it is unless told. */
	withNode?: boolean;
}

/** n8n in queue mode: one main process, Redis, PostgreSQL and any number of workers. */
export interface QueueSetup {
	main: N8nServer;
	/** Starts the main process again, at the same address and with the same data. */
	startMain(): Promise<void>;
	startWorker(options?: WorkerOptions): Promise<Worker>;
	/** Every row of n8n's database, as SQL. */
	dumpDatabase(): Promise<string>;
	/** Writes all that Redis holds at this moment into a file in the folder. */
	saveRedis(): Promise<void>;
	/** Everything that the main process and the workers have contacted so far. */
	contacts(): Promise<Contact[]>;
	/** Where they find Redis and PostgreSQL. */
	ports: readonly number[];
	/** User folders of all processes, with their settings, and all logs. */
	folder: string;
	stop(): Promise<void>;
}

/** Starts everything but the workers; the build must be up to date and n8n installed. */
export async function startQueueSetup(
	version: N8nVersion,
	env: Record<string, string> = {},
): Promise<QueueSetup> {
	const cleanups = new Cleanups();
	const stop = async () => await cleanups.run();
	try {
		const machine = await prepare(version, env, cleanups);
		await installNode(mainFolder(machine), machine.tarball);
		const setup: QueueSetup = {
			main: await startMain(machine),
			startMain: async () => {
				setup.main = await startMain(machine);
			},
			startWorker: async (options) => await addWorker(machine, options),
			dumpDatabase: machine.postgres.dump,
			saveRedis: machine.redis.save,
			contacts: async () => await contactsIn(contactNotes(machine)),
			ports: [machine.redis.port, machine.postgres.port],
			folder: machine.folder,
			stop,
		};
		return setup;
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What all processes have in common. */
interface Machine {
	version: N8nVersion;
	folder: string;
	tarball: string;
	/** Of the main process. */
	port: number;
	env: Record<string, string>;
	redis: RedisServer;
	postgres: PostgresServer;
	cleanups: Cleanups;
}

async function prepare(
	version: N8nVersion,
	env: Record<string, string>,
	cleanups: Cleanups,
): Promise<Machine> {
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-queue-'));
	cleanups.add(async () => await rm(folder, { recursive: true, force: true }));
	const redis = await startRedis(folder);
	cleanups.add(redis.stop);
	const postgres = await startPostgres(path.join(folder, 'postgres.log'));
	cleanups.add(postgres.stop);
	const port = await freePort();
	const common = {
		...redis.env,
		...postgres.env,
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		// Workers hand out addresses of the main process, which they cannot know by themselves.
		WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
		...notingContacts(contactNotes({ folder })),
		...env,
	};
	const tarball = await packNode(path.join(folder, 'package'));
	return { version, folder, tarball, port, env: common, redis, postgres, cleanups };
}

const mainFolder = ({ folder }: Machine): string => path.join(folder, 'main');
const contactNotes = ({ folder }: Pick<Machine, 'folder'>): string =>
	path.join(folder, 'contacts.txt');

async function startMain(machine: Machine): Promise<N8nServer> {
	const { version, port, env, cleanups } = machine;
	const main = await startN8n({ version, userFolder: mainFolder(machine), port, env });
	cleanups.add(main.stop);
	return main;
}

/** Each worker has a user folder of its own, as on a machine of its own. */
async function addWorker(
	{ version, folder, tarball, env, cleanups }: Machine,
	{ concurrency = 10, env: ownEnv, withNode = true }: WorkerOptions = {},
): Promise<Worker> {
	const userFolder = await mkdtemp(path.join(folder, 'worker-'));
	if (withNode) await installNode(userFolder, tarball);
	const healthPort = { QUEUE_HEALTH_CHECK_PORT: String(await freePort()) };
	const options = { version, userFolder, env: { ...env, ...healthPort, ...ownEnv } };
	const worker = await startWorker(options, concurrency);
	cleanups.add(worker.stop);
	const reader = logReader(worker.logFile);
	return { ...worker, ...reader, begun: async () => begunIn(await reader.log()) };
}

const BEGUN = /Worker started execution (\S+) \(job/g;

const begunIn = (log: string): string[] => [...log.matchAll(BEGUN)].map(([, id = '']) => id);
