/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWithCleanups } from './cleanups';
import { startDaemon } from './daemon';
import { LOOPBACK, freePort } from './ports';
import { run } from './process';

const USER = 'n8n';
/** Every fresh PostgreSQL has it. */
const DATABASE = 'postgres';

/** Where Debian puts the server programs, one folder for each major version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; Debian has this user for it. */
const DEPUTY = process.getuid?.() === 0 ? 'postgres' : undefined;

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

/**
 * Starts an empty PostgreSQL in a temporary folder; it listens on this machine only. By `env`, n8n
 * finds it.
 * @param logFile Gets everything that it prints.
 */
export const startPostgres = async (logFile: string) =>
	await startWithCleanups(async (cleanups) => {
		// Not inside the test's own folder, which the other user may not enter.
		const folder = await mkdtemp(path.join(tmpdir(), 'videogen-postgres-'));
		cleanups.add(async () => await rm(folder, { recursive: true, force: true }));
		const password = await makeDatabase(folder);
		const port = String(await freePort());
		const settings = Object.entries({ ...SETTINGS, port }).flatMap((entry) => [
			'-c',
			entry.join('='),
		]);
		const server = await startDaemon({
			name: 'PostgreSQL',
			...asDeputy('postgres', ['-D', dataFolder(folder), ...settings]),
			cwd: folder,
			logFile,
			readyLine: 'database system is ready to accept connections',
		});
		cleanups.add(server.stop);
		const env = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_DATABASE: DATABASE,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: password,
		};
		const address = ['--host', LOOPBACK, '--port', port, '--username', USER];
		/** Every row of the database, as SQL. */
		const dump = async () =>
			await run(program('pg_dump'), [...address, '--inserts', DATABASE], {
				env: { ...process.env, PGPASSWORD: password },
			});
		return { env, port: Number(port), dump };
	});

const dataFolder = (folder: string): string => path.join(folder, 'data');

/** @returns The password of its only user. */
async function makeDatabase(folder: string): Promise<string> {
	const password = randomBytes(16).toString('hex');
	const passwordFile = path.join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (DEPUTY !== undefined) await run('chown', ['--recursive', `${DEPUTY}:`, folder]);
	const { command, args } = asDeputy('initdb', [
		...['--pgdata', dataFolder(folder)],
		...['--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
		...['--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
	]);
	await run(command, args, { cwd: folder });
	return password;
}

/** One of the newest version that is installed; elsewhere than on Debian, by its name alone. */
function program(name: string): string {
	const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
	const [newest] = versions
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => path.join(DEBIAN_FOLDER, version, 'bin', name))
		.filter((file) => existsSync(file));
	return newest ?? name;
}

/** The command as it is, or run as the other user. */
function asDeputy(name: string, args: string[]) {
	const command = program(name);
	if (DEPUTY === undefined) return { command, args };
	const identity = [`--reuid=${DEPUTY}`, `--regid=${DEPUTY}`, '--clear-groups'];
	return { command: 'setpriv', args: [...identity, '--', command, ...args] };
}
