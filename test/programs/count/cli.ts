import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	createSourceFile,
	forEachChild,
	getNameOfDeclaration,
	isFunctionLike,
	isImportDeclaration,
	isJSDoc,
	type Node,
	ScriptTarget,
	type SourceFile,
} from 'typescript';

const PROJECT = path.resolve(__dirname, '../../..');
const FOLDERS = ['credentials', 'nodes'];
const MAX_FILE = 250;
const MAX_FUNCTION = 40;
/** How many of the largest files and of the longest functions are shown. */
const SHOWN = 10;

/** A file, a folder or a function, and how many lines of code it has. */
type Counted = [what: string, length: number];

const lineAt = (source: SourceFile, position: number): number =>
	source.getLineAndCharacterOfPosition(position).line;

/** Lines of code are those with more on them than comments, imports and white space. */
function codeLinesOf(source: SourceFile): number[] {
	const texts = source.text.split('\n');
	const lines = new Set<number>();
	const visit = (node: Node): void => {
		if (isImportDeclaration(node) || isJSDoc(node)) return;
		const children = node.getChildren();
		children.forEach(visit);
		if (children.length > 0 || node.getWidth() === 0) return;
		const last = lineAt(source, node.getEnd());
		for (let line = lineAt(source, node.getStart()); line <= last; line += 1) {
			if (texts[line]?.trim()) lines.add(line);
		}
	};
	visit(source);
	return [...lines];
}

/** Those with a body, which a function type has not. */
function functionsIn(node: Node): Node[] {
	const inside: Node[] = [];
	forEachChild(node, (child) => void inside.push(...functionsIn(child)));
	return isFunctionLike(node) && 'body' in node && node.body ? [node, ...inside] : inside;
}

/** The file, and each of its functions, those inside of it included. */
function measure(file: string): { length: number; functions: Counted[] } {
	const text = readFileSync(path.join(PROJECT, file), 'utf8');
	if (file.endsWith('.json')) {
		return { length: text.split('\n').filter((line) => line.trim()).length, functions: [] };
	}
	const source = createSourceFile(file, text, ScriptTarget.Latest, true);
	const lines = codeLinesOf(source);
	const functions = functionsIn(source).map((node): Counted => {
		const [first, last] = [node.getStart(), node.getEnd()].map((at) => lineAt(source, at));
		const inside = lines.filter((line) => line >= Number(first) && line <= Number(last));
		const name = isFunctionLike(node) && getNameOfDeclaration(node)?.getText();
		return [`${name || 'a function'} (${file}:${Number(first) + 1})`, inside.length];
	});
	return { length: lines.length, functions };
}

const print = (title: string, rows: Counted[]): void => {
	const lines = rows.map(([what, length]) => `${String(length).padStart(7)}  ${what}`);
	process.stdout.write(`${[title, ...lines].join('\n')}\n\n`);
};

/** `npm run count`: ends with an error when a file or a function is too long. */
function main(): void {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(?:ts|json)$/.test(file))
			.map((file) => path.join(folder, file)),
	).map((file) => ({ file, ...measure(file) }));
	const folders = new Map<string, number>();
	for (const { file, length } of files) {
		const folder = path.dirname(file);
		folders.set(folder, (folders.get(folder) ?? 0) + length);
	}
	const longestFirst = (rows: Counted[]) => rows.sort(([, one], [, other]) => other - one);
	const largest = longestFirst(files.map(({ file, length }) => [file, length]));
	const longest = longestFirst(files.flatMap(({ functions }) => functions));
	print('Lines of code, without comments, imports and blank lines', [
		...[...folders].sort(([one], [other]) => (one < other ? -1 : 1)),
		['in all', files.reduce((sum, { length }) => sum + length, 0)],
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
