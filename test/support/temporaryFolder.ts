import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInThisContext } from 'node:vm';

/** A folder of a test's own. */
export interface TemporaryFolder {
	path: string;
	remove(): Promise<void>;
}

/**
 * Makes an empty folder whose name begins with the prefix. It is also removed when the tests end
 * early: at the end of the process or, when that was killed, by the next that asks for such a folder.
 */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
	await removeOrphans(prefix);
	const folder = await mkdtemp(path.join(tmpdir(), `${prefix}-${process.pid}-`));
	const removeNow = () => rmSync(folder, { recursive: true, force: true });
	const actual = actualProcess();
	actual.once('exit', removeNow);
	const remove = async () => {
		actual.off('exit', removeNow);
		await rm(folder, { recursive: true, force: true });
	};
	return { path: folder, remove };
}

/** What tests see as `process` is Jest's copy, which nobody tells of its end. */
function actualProcess(): EventEmitter {
	const actual: unknown = runInThisContext('process');
	if (actual instanceof EventEmitter) return actual;
	throw new Error('The process of these tests was not found');
}

async function removeOrphans(prefix: string): Promise<void> {
	const pattern = new RegExp(`^${prefix}-(\\d+)-`);
	for (const name of await readdir(tmpdir())) {
		const owner = pattern.exec(name)?.[1];
		if (owner === undefined || isAlive(Number(owner))) continue;
		await rm(path.join(tmpdir(), name), { recursive: true, force: true });
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
