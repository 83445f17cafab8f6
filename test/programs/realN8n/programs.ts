import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where Debian puts the server programs of PostgreSQL, one folder for each major version. */
const POSTGRES_FOLDER = '/usr/lib/postgresql';

/**
 * The path of Redis' server program.
 * @throws Error that names the Debian package when it is not installed.
 */
export const findRedis = (): string =>
	findProgram('redis-server', [...searchPath(), '/usr/bin', '/usr/local/bin'], 'redis-server');

/**
 * The folder of PostgreSQL's server programs, of the newest version that is installed.
 * @throws Error that names the Debian package when there is none.
 */
export function findPostgres(): string {
	const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = newestFirst.map((version) => path.join(POSTGRES_FOLDER, version, 'bin'));
	return path.dirname(findProgram('initdb', [...folders, ...searchPath()], 'postgresql'));
}

const searchPath = (): string[] => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

function findProgram(name: string, folders: string[], debianPackage: string): string {
	const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
	if (found !== undefined) return found;
	throw new Error(
		`The tests of queue mode need ${name}, which is not installed here. ` +
			`On Debian: apt-get install ${debianPackage}`,
	);
}
