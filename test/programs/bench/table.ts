/** One line of a table: what stands in each column, by the column's heading. */
export type Row = Record<string, string>;

/**
 * A table that reads well in a terminal and is valid Markdown as it stands: what is printed can be
 * pasted into docs/benchmarks.md unchanged. The first column is text, the others are numbers.
 */
export function table(rows: Row[]): string {
	const headings = Object.keys(rows[0] ?? {});
	const widths = headings.map((heading) =>
		Math.max(heading.length, ...rows.map((row) => row[heading]?.length ?? 0)),
	);
	const line = (cells: string[]): string => `| ${cells.map(aligned(widths)).join(' | ')} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
	);
	const body = rows.map((row) => line(headings.map((heading) => row[heading] ?? '')));
	return [line(headings), line(rule), ...body].join('\n');
}

const aligned =
	(widths: number[]) =>
	(cell: string, column: number): string =>
		column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);

/** With as many digits as say something: a benchmark's third digit is noise. */
export const number = (value: number, digits = 1): string => value.toFixed(digits);
