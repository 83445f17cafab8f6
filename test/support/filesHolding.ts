/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../tools/n8n/errorCode';

/** Paths, relative to a folder, of all files below it that hold these bytes anywhere. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const found: string[] = [];
	for (const entry of entries.filter((one) => one.isFile())) {
		const file = path.join(entry.parentPath, entry.name);
		const content = await readFile(file).catch(nothingIfGone);
		if (content?.includes(text)) found.push(path.relative(folder, file));
	}
	return found.sort();
}

/** Servers clear up while they are looked at. */
function nothingIfGone(error: unknown): undefined {
	if (errorCode(error) !== 'ENOENT') throw error;
}
