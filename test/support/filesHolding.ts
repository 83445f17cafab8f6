import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../tools/n8n/errorCode';

/** Paths, relative to a folder, of all files below it that hold these bytes anywhere. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name));
	const found: string[] = [];
	for (const file of files) {
		if ((await contentOf(file))?.includes(text)) found.push(path.relative(folder, file));
	}
	return found.sort();
}

/** Nothing when the file is gone by now: servers clear up while they are looked at. */
async function contentOf(file: string): Promise<Buffer | undefined> {
	try {
		return await readFile(file);
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}
