import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { messagesText } from './messages';
import { takePictures } from './pictures/takePictures';
import { referenceText } from './reference';

const DOCS = path.join(__dirname, '../../docs');

const HELP = `Writes what is generated of the documents.

  npm run docs                      docs/reference.md and docs/messages.md
  npm run docs -- pictures          all images
  npm run docs -- pictures <name>   those whose names begin so`;

async function main([command, ...names]: readonly string[]): Promise<void> {
	if (command === undefined) {
		writeFileSync(path.join(DOCS, 'reference.md'), referenceText());
		writeFileSync(path.join(DOCS, 'messages.md'), messagesText());
	} else if (command === 'pictures') {
		await takePictures(names);
	} else {
		process.stdout.write(`${HELP}\n`);
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
