/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- It runs in Node.js, not in n8n. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { messagesText } from './messages';
import { takePictures } from './pictures';
import { referenceText } from './reference';

const DOCS = path.join(__dirname, '../../docs');

/**
 * Writes what is generated of the documents: docs/reference.md and docs/messages.md, or after
 * `pictures` all images, or those whose names begin so.
 */
async function main([command, ...names]: readonly string[]): Promise<void> {
	if (command === 'pictures') return await takePictures(names);
	if (command !== undefined) throw new Error('Usage: npm run docs [-- pictures [name]…]');
	writeFileSync(path.join(DOCS, 'reference.md'), referenceText());
	writeFileSync(path.join(DOCS, 'messages.md'), messagesText());
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
