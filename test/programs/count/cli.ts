import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FileLength, measure } from './codeLines';

const PROJECT = path.resolve(__dirname, '../../..');
const FOLDERS = ['credentials', 'nodes'];
const MAX_FILE = 250;
const MAX_FUNCTION = 40;
/** How many of the largest files and of the longest functions are shown. */
const SHOWN = 10;

const measureAll = (): FileLength[] =>
	FOLDERS.flatMap((folder) =>
		readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(?:ts|json)$/.test(file))
			.map((file) => path.join(folder, file))
			.map((file) => measure(file, readFileSync(path.join(PROJECT, file), 'utf8'))),
	);

/** Lines of code of what is directly in each folder. */
function byFolder(files: FileLength[]): Map<string, number> {
	const sums = new Map<string, number>();
	for (const { file, length } of files) {
		const folder = path.dirname(file);
		sums.set(folder, (sums.get(folder) ?? 0) + length);
	}
	return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const print = (title: string, rows: Array<[string, number]>): void => {
	const lines = rows.map(([what, length]) => `${String(length).padStart(7)}  ${what}`);
	process.stdout.write(`${[title, ...lines].join('\n')}\n\n`);
};

/** `npm run count`: ends with an error when a file or a function is too long. */
function main(): void {
	const files = measureAll();
	const total = files.reduce((sum, { length }) => sum + length, 0);
	const largest = files
		.map(({ file, length }): [string, number] => [file, length])
		.sort(([, one], [, other]) => other - one);
	const longest = files
		.flatMap(({ file, functions }) =>
			functions.map(({ name, line, length }): [string, number] => [
				`${name} (${file}:${line})`,
				length,
			]),
		)
		.sort(([, one], [, other]) => other - one);
	print('Lines of code, without comments, imports and blank lines', [
		...byFolder(files),
		['in all', total],
	]);
	print('Largest files', largest.slice(0, SHOWN));
	print('Longest functions', longest.slice(0, SHOWN));
	const tooLong = [
		...largest.filter(([, length]) => length > MAX_FILE),
		...longest.filter(([, length]) => length > MAX_FUNCTION),
	];
	if (tooLong.length === 0) return;
	print(`Longer than ${MAX_FILE} (a file) or ${MAX_FUNCTION} (a function)`, tooLong);
	process.exitCode = 1;
}

main();
