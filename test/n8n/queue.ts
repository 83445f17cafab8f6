import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cleanups } from './cleanups';
import type { Daemon } from './daemon';
import { installNode, packNode } from './package';
import { pollUntil } from './poll';
import { LOOPBACK, freePort } from './ports';
import { startPostgres } from './postgres';
import type { N8nVersion } from './recipes';
import { startRedis } from './redis';
import { startN8n, startWorker, type N8nServer } from './server';

const LOG_TIMEOUT_MS = 60_000;

/** An n8n process that executes what the main process hands out. */
export interface Worker extends Daemon {
	log(): Promise<string>;
	/** Resolves when its log holds the text. */
	waitForLog(text: string): Promise<void>;
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
	/** User folders of all processes, with their settings and logs. */
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
			dumpDatabase: machine.dumpDatabase,
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
	dumpDatabase: () => Promise<string>;
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
	const postgres = await startPostgres();
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
		...env,
	};
	const tarball = await packNode(path.join(folder, 'package'));
	return { version, folder, tarball, port, env: common, dumpDatabase: postgres.dump, cleanups };
}

const mainFolder = ({ folder }: Machine): string => path.join(folder, 'main');

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
	return { ...worker, ...readerOf(worker.logFile) };
}

const BEGUN = /Worker started execution (\S+) \(job/g;

function readerOf(logFile: string): Pick<Worker, 'log' | 'waitForLog' | 'begun'> {
	const log = async () => await readFile(logFile, 'utf8');
	const waitForLog = async (text: string) => {
		const what = `"${text}" in a worker's log`;
		const check = async () => ((await log()).includes(text) ? true : undefined);
		await pollUntil(check, { what, timeoutMs: LOG_TIMEOUT_MS });
	};
	const begun = async () => [...(await log()).matchAll(BEGUN)].map(([, id = '']) => id);
	return { log, waitForLog, begun };
}
