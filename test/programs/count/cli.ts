import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	createSourceFile,
	isImportDeclaration,
	isJSDoc,
	type Node,
	ScriptTarget,
} from 'typescript';

const PROJECT = path.resolve(__dirname, '../../..');
const FOLDERS = ['credentials', 'nodes'];

/** Lines of code are those with more on them than comments, imports and white space. */
function codeLinesOf(file: string): number {
	const text = readFileSync(path.join(PROJECT, file), 'utf8');
	const texts = text.split('\n');
	if (file.endsWith('.json')) return texts.filter((line) => line.trim()).length;
	const source = createSourceFile(file, text, ScriptTarget.Latest, true);
	const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
	const lines = new Set<number>();
	const visit = (node: Node): void => {
		if (isImportDeclaration(node) || isJSDoc(node)) return;
		const children = node.getChildren();
		children.forEach(visit);
		if (children.length > 0 || node.getWidth() === 0) return;
		for (let line = lineAt(node.getStart()); line <= lineAt(node.getEnd()); line += 1) {
			if (texts[line]?.trim()) lines.add(line);
		}
	};
	visit(source);
	return lines.size;
}

/** `npm run count` */
const folders = new Map<string, number>();
for (const folder of FOLDERS) {
	for (const entry of readdirSync(path.join(PROJECT, folder), {
		recursive: true,
		encoding: 'utf8',
	})) {
		const file = path.join(folder, entry);
		if (!/\.(?:ts|json)$/.test(file)) continue;
		const at = path.dirname(file);
		folders.set(at, (folders.get(at) ?? 0) + codeLinesOf(file));
	}
}
const sum = [...folders.values()].reduce((all, lines) => all + lines, 0);
const rows = [...[...folders].sort(), ['in all', sum] as const];
console.log('Lines of code, without comments, imports and blank lines');
for (const [what, lines] of rows) console.log(`${String(lines).padStart(7)}  ${what}`);
