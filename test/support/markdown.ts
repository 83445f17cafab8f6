const FENCED_CODE = /^```[^]*?^```/gm;

/** A row of a table: its cells by the table's own headings. */
export type TableRow = Record<string, string>;

/** The rows of all tables in a text. */
export function tableRows(markdown: string): TableRow[] {
	const tables = markdown.replace(FENCED_CODE, '').match(/(?:^\|.*\n?)+/gm) ?? [];
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
