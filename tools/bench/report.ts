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
	rows: Row[];
	bounds: Bound[];
}

export const holds = ({ measured, atMost }: Bound): boolean => measured <= atMost;

/** Prints a table, and then the bounds. */
export function print({ title, rows, bounds }: Report): void {
	console.log(`\n${title}`);
	console.table(rows);
	for (const bound of bounds) {
		const { what, measured, atMost } = bound;
		const result = holds(bound) ? 'PASS' : 'FAIL';
		console.log(`${result}  ${what}: ${measured.toFixed(2)}, at most ${atMost}`);
	}
}

/** Progress goes where it does not get into a table that is piped into a file. */
export const tell = (line: string) => process.stderr.write(`… ${line}\n`);
