import { format } from 'prettier';

/** One line of a table: what stands in each column, by the column's heading. */
export type Row = Record<string, string>;

/** Something that must hold. All are ratios or derived within one run: machines differ. */
export interface Bound {
	what: string;
	measured: number;
	atMost: number;
}

/** What one part of the benchmark found out. */
export interface Report {
	title: string;
	tables: Row[][];
	bounds: Bound[];
}

export const holds = ({ measured, atMost }: Bound): boolean => measured <= atMost;

const boundLine = (bound: Bound): string =>
	`${holds(bound) ? 'PASS' : 'FAIL'}  ${bound.what}: ${bound.measured.toFixed(2)}, at most ${bound.atMost}`;

/** The first column is text, the others are numbers. */
function table(rows: Row[]): string {
	const headings = Object.keys(rows[0] ?? {});
	const rule = headings.map((_, column) => (column === 0 ? '-' : '-:'));
	return [headings, rule, ...rows.map(Object.values)]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Prints tables that can be pasted into docs/internals/benchmarks.md as they are, and then the bounds. */
export async function print({ title, tables, bounds }: Report): Promise<void> {
	const markdown = [`### ${title}`, ...tables.map(table)].join('\n\n');
	const text = await format(markdown, { parser: 'markdown' });
	process.stdout.write(`\n${text}\n${bounds.map(boundLine).join('\n')}\n`);
}

/** Progress goes where it does not get into a table that is piped into a file. */
export const tell = (line: string) => process.stderr.write(`… ${line}\n`);
