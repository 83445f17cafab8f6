import { z } from 'zod';
import { Refusal, bodyOf, type Route } from './http';

/** n8n writes cell by cell. */
const CELL = /^Sheet1!([A-Z])(\d+)$/;
const cellSchema = z.object({
	range: z.string().regex(CELL),
	values: z.tuple([z.tuple([z.string()])]),
});
const updateSchema = z.object({ data: z.array(cellSchema) });

/** What a person writes into a row, by the names of the columns. */
type Row = Record<string, string>;

/** One spreadsheet with one tab, whose first row has the names of the columns. */
export interface Spreadsheet {
	/** Its address, as a person copies it from the browser. */
	readonly link: string;
	columns: readonly string[];
	/** Those below the first. */
	readonly rows: Row[];
	/** Writes open into a row, as a person does. @param nth Counted from 0, below the first. */
	reopen(nth: number): void;
}

/** Google Sheets, at `sheets.googleapis.com`: the part that n8n's node uses. */
export class Sheets {
	private readonly spreadsheets = new Map<string, Spreadsheet>();

	/** A new one. @param id At least 25 characters, as n8n expects them. */
	create(id: string, columns: readonly string[], written: readonly Row[]): Spreadsheet {
		const link = `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`;
		const rows = written.map((row) =>
			Object.fromEntries(columns.map((name) => [name, row[name] ?? ''])),
		);
		const reopen = (nth: number) => {
			rows[nth] = { ...rows[nth], status: 'open' };
		};
		const spreadsheet = { link, columns, rows, reopen };
		this.spreadsheets.set(id, spreadsheet);
		return spreadsheet;
	}

	readonly routes: Route[] = [
		[
			/^GET \/v4\/spreadsheets\/[\w-]+$/,
			() => ({ json: { sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }] } }),
		],
		[
			/^GET \/v4\/spreadsheets\/([\w-]+)\/values\/'?Sheet1'?$/,
			(_, id) => {
				const { columns, rows } = this.find(id);
				const cells = rows.map((row) => trimmed(columns.map((name) => row[name] ?? '')));
				return { json: { values: [columns, ...cells] } };
			},
		],
		[
			/^POST \/v4\/spreadsheets\/([\w-]+)\/values:batchUpdate$/,
			async (request, id) => {
				const { data } = await bodyOf(request, updateSchema);
				for (const { range, values } of data) write(this.find(id), range, values[0][0]);
				return { json: { spreadsheetId: id, totalUpdatedCells: data.length } };
			},
		],
	];

	private find(id: string): Spreadsheet {
		const found = this.spreadsheets.get(id);
		if (found === undefined) throw new Refusal(404, 'Requested entity was not found.');
		return found;
	}
}

/** As Google does, without empty cells at the end of a row. */
const trimmed = (cells: string[]) => cells.slice(0, cells.map(Boolean).lastIndexOf(true) + 1);

function write({ columns, rows }: Spreadsheet, range: string, value: string): void {
	const [, letter = '', number = ''] = CELL.exec(range) ?? [];
	const name = columns[letter.charCodeAt(0) - 'A'.charCodeAt(0)];
	const row = rows[Number(number) - 2];
	if (name === undefined || row === undefined) throw new Error(`Not played: a new cell ${range}`);
	row[name] = value;
}
