import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDaemon } from './daemon';
import { LOOPBACK, freePort } from './ports';
import { run } from './process';
import { findPostgres } from './programs';

const USER = 'n8n';
/** Every fresh PostgreSQL has it. */
const DATABASE = 'postgres';

/** Users that may stand in when the tests run as root, which PostgreSQL refuses to run as. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** A test's data is thrown away, so that nothing has to reach the disk. */
const SETTINGS = {
	listen_addresses: LOOPBACK,
	unix_socket_directories: '',
	fsync: 'off',
	synchronous_commit: 'off',
	full_page_writes: 'off',
	// Its usual place would keep what a killed server leaves behind.
	dynamic_shared_memory_type: 'mmap',
};

/** Somebody else's user and group number; nobody when the tests do not run as root. */
type Deputy = { uid: number; gid: number } | undefined;

/**
 * Starts an empty PostgreSQL in a temporary folder; it listens on this machine only. By `env`, n8n
 * finds it.
 * @param logFile Gets everything that it prints.
 */
export async function startPostgres(logFile: string) {
	const programs = findPostgres();
	const deputy = await deputyForRoot();
	// Not inside the test's own folder, which the other user may not enter.
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-postgres-'));
	const remove = async () => await rm(folder, { recursive: true, force: true });
	try {
		if (deputy) await chown(folder, deputy.uid, deputy.gid);
		const password = await makeDatabase(programs, folder, deputy);
		const port = await freePort();
		const settings = Object.entries({ ...SETTINGS, port: String(port) });
		const server = await startDaemon({
			name: 'PostgreSQL',
			...asDeputy(deputy, path.join(programs, 'postgres'), [
				...['-D', dataFolder(folder)],
				...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
			]),
			cwd: folder,
			logFile,
			readyLine: 'database system is ready to accept connections',
			// Ends the connections; on SIGTERM it would wait until they are closed.
			stopSignal: 'SIGINT',
		});
		const env = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: DATABASE,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: password,
		};
		/** Ends it and deletes its data. */
		const stop = async () => {
			await server.stop();
			await remove();
		};
		/** Every row of the database, as SQL. */
		const dump = async () =>
			await run(
				path.join(programs, 'pg_dump'),
				['--host', LOOPBACK, '--port', String(port), '--username', USER, '--inserts', DATABASE],
				{ env: { ...process.env, PGPASSWORD: password } },
			);
		return { env, port, dump, stop };
	} catch (error) {
		await remove();
		throw error;
	}
}

const dataFolder = (folder: string): string => path.join(folder, 'data');

/** @returns The password of its only user. */
async function makeDatabase(programs: string, folder: string, deputy: Deputy): Promise<string> {
	const password = randomBytes(16).toString('hex');
	const passwordFile = path.join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (deputy) await chown(passwordFile, deputy.uid, deputy.gid);
	const { command, args } = asDeputy(deputy, path.join(programs, 'initdb'), [
		...['--pgdata', dataFolder(folder)],
		...['--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
		...['--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
	]);
	await run(command, args, { cwd: folder });
	return password;
}

async function deputyForRoot(): Promise<Deputy> {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of UNPRIVILEGED) {
		const id = async (option: string) => Number(await run('id', [option, name]));
		const ids = await Promise.all([id('-u'), id('-g')]).catch(() => undefined);
		if (ids) return { uid: ids[0], gid: ids[1] };
	}
	throw new Error(
		`PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED.join(' or ')} here. ` +
			'Run the tests as another user.',
	);
}

/** The command as it is, or run as that user. */
function asDeputy(deputy: Deputy, command: string, args: string[]) {
	if (deputy === undefined) return { command, args };
	const { uid, gid } = deputy;
	const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
	return { command: 'setpriv', args: [...identity, '--', command, ...args] };
}
