/** A table under a heading: one entry a row, each with its cells by the table's own headings. */
export type TableRow = Record<string, string>;

const FENCE = /^(?:```|~~~)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const LINK = /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/;

/** The lines of a text outside its fenced code. */
function proseLines(markdown: string): string[] {
	let isInFence = false;
	return markdown.split('\n').filter((line) => {
		const isFence = FENCE.test(line.trim());
		if (isFence) isInFence = !isInFence;
		return !isFence && !isInFence;
	});
}

/** The targets of all links and pictures, as they are written. */
export function linkTargets(markdown: string): string[] {
	return proseLines(markdown).flatMap((line) => {
		const withoutCode = line.replace(/`[^`]*`/g, '');
		const inline = [...withoutCode.matchAll(LINK)].map(([, target = '']) => target);
		const reference = REFERENCE.exec(withoutCode)?.[1];
		return reference === undefined ? inline : [...inline, reference];
	});
}

export function headings(markdown: string): string[] {
	return proseLines(markdown).flatMap((line) => HEADING.exec(line)?.[2] ?? []);
}

/** The anchors of a text's headings, as GitHub makes them. */
export function anchors(markdown: string): string[] {
	const seen = new Map<string, number>();
	return headings(markdown).map((heading) => {
		const slug = slugOf(heading);
		const count = seen.get(slug) ?? 0;
		seen.set(slug, count + 1);
		return count === 0 ? slug : `${slug}-${count}`;
	});
}

const slugOf = (heading: string): string =>
	heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/** What stands between a heading and the next one of any level. */
export function section(markdown: string, heading: string): string {
	const lines = proseLines(markdown);
	const start = lines.findIndex((line) => HEADING.exec(line)?.[2] === heading);
	if (start === -1) throw new Error(`There is no heading "${heading}"`);
	const rest = lines.slice(start + 1);
	const end = rest.findIndex((line) => HEADING.test(line));
	return rest.slice(0, end === -1 ? undefined : end).join('\n');
}

/** All rows of the tables in a text; the row of dashes is left out. */
export function tableRows(markdown: string): TableRow[] {
	const rows: TableRow[] = [];
	let columns: string[] | undefined;
	for (const line of markdown.split('\n')) {
		if (!line.startsWith('|')) {
			columns = undefined;
			continue;
		}
		const cells = cellsOf(line);
		if (columns === undefined) columns = cells;
		else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) rows.push(rowOf(columns, cells));
	}
	return rows;
}

const cellsOf = (line: string): string[] =>
	line
		.replace(/^\||\|\s*$/g, '')
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim());

const rowOf = (columns: string[], cells: string[]): TableRow =>
	Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));

/** What a text has in code marks, in its order. */
export const codeIn = (text: string): string[] =>
	[...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
