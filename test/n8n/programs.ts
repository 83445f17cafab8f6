import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Where Debian puts the server programs of PostgreSQL, one folder for each major version. */
const POSTGRES_FOLDER = '/usr/lib/postgresql';

/**
 * The path of Redis' server program.
 * @throws Error that names the Debian package when it is not installed.
 */
export async function findRedis(): Promise<string> {
	const program = 'redis-server';
	return await findProgram(program, [...searchPath(), '/usr/bin', '/usr/local/bin'], program);
}

/**
 * The folder of PostgreSQL's server programs, of the newest version that is installed.
 * @throws Error that names the Debian package when there is none.
 */
export async function findPostgres(): Promise<string> {
	const versions = await readdir(POSTGRES_FOLDER).catch(() => []);
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = newestFirst.map((version) => path.join(POSTGRES_FOLDER, version, 'bin'));
	return path.dirname(await findProgram('initdb', [...folders, ...searchPath()], 'postgresql'));
}

const searchPath = (): string[] => (process.env.PATH ?? '').split(path.delimiter);

async function findProgram(name: string, folders: string[], debianPackage: string) {
	for (const folder of folders.filter((one) => one !== '')) {
		const candidate = path.join(folder, name);
		if (await isExecutable(candidate)) return candidate;
	}
	throw new Error(
		`The tests of queue mode need ${name}, which is not installed here. ` +
			`On Debian: apt-get install ${debianPackage}`,
	);
}

async function isExecutable(file: string): Promise<boolean> {
	return await access(file, constants.X_OK).then(
		() => true,
		() => false,
	);
}
