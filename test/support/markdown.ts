const FENCED_CODE = /^```[^]*?^```/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6}\s+(.*)$/gm;

const prose = (markdown: string): string => markdown.replace(FENCED_CODE, '');

const firstGroups = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, group = '']) => group);

/** The targets of all links and images, as they are written. */
export const linkTargets = (markdown: string): string[] =>
	firstGroups(prose(markdown).replace(INLINE_CODE, ''), LINK);

/** The anchors of a text's headings, as GitHub makes them. */
export const anchors = (markdown: string): string[] =>
	firstGroups(prose(markdown), HEADING).map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
			.trim()
			.replace(/\s/g, '-'),
	);

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
