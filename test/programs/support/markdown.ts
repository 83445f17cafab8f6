const FENCED_CODE = /^(```|~~~)[^]*?^\1/gm;
const LINK = /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/gm;

const prose = (markdown: string): string => markdown.replace(FENCED_CODE, '');

/** The targets of all links and images, as they are written. */
export function linkTargets(markdown: string): string[] {
	const text = prose(markdown).replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(LINK), ...text.matchAll(REFERENCE)].map(([, target = '']) => target);
}

/** The anchors of a text's headings, as GitHub makes them. */
export function anchors(markdown: string): string[] {
	const slugs = [...prose(markdown).matchAll(HEADING)].map(([, heading = '']) => slugOf(heading));
	return slugs.map((slug, index) => {
		const earlier = slugs.slice(0, index).filter((other) => other === slug).length;
		return earlier === 0 ? slug : `${slug}-${earlier}`;
	});
}

const slugOf = (heading: string): string =>
	heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/** A row of a table: its cells by the table's own headings. */
export type TableRow = Record<string, string>;

/** The rows of all tables in a text. */
export function tableRows(markdown: string): TableRow[] {
	const tables = prose(markdown).match(/(?:^\|.*\n?)+/gm) ?? [];
	return tables.flatMap((table) => {
		const [columns = [], , ...rows] = table.trim().split('\n').map(cellsOf);
		return rows.map((cells) =>
			Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
		);
	});
}

const cellsOf = (line: string): string[] =>
	line
		.replace(/^\||\|\s*$/g, '')
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim());
