import {
	createSourceFile,
	forEachChild,
	getNameOfDeclaration,
	isFunctionLike,
	isImportDeclaration,
	isJSDoc,
	type Node,
	ScriptTarget,
	type SignatureDeclaration,
	type SourceFile,
} from 'typescript';

/** A function and how many lines of code it has, those of functions inside it included. */
export interface FunctionLength {
	name: string;
	/** Counted from 1. */
	line: number;
	length: number;
}

export interface FileLength {
	file: string;
	length: number;
	functions: FunctionLength[];
}

/** Lines of code are those with more on them than comments, imports and white space. */
export function measure(file: string, text: string): FileLength {
	if (file.endsWith('.json')) {
		const length = text.split('\n').filter((line) => line.trim() !== '').length;
		return { file, length, functions: [] };
	}
	const source = createSourceFile(file, text, ScriptTarget.Latest, true);
	const lines = codeLinesOf(source);
	const functions = functionsIn(source).map((node) => {
		const first = lineAt(source, node.getStart());
		const last = lineAt(source, node.getEnd());
		const length = [...lines].filter((line) => line >= first && line <= last).length;
		const name = getNameOfDeclaration(node)?.getText() ?? 'a function';
		return { name, line: first + 1, length };
	});
	return { file, length: lines.size, functions };
}

const lineAt = (source: SourceFile, position: number): number =>
	source.getLineAndCharacterOfPosition(position).line;

function codeLinesOf(source: SourceFile): Set<number> {
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
	return lines;
}

/** Those with a body; a function type is none. */
function functionsIn(node: Node): SignatureDeclaration[] {
	const inside: SignatureDeclaration[] = [];
	forEachChild(node, (child) => {
		inside.push(...functionsIn(child));
	});
	return isFunctionLike(node) && 'body' in node && node.body ? [node, ...inside] : inside;
}
