import { z } from 'zod';
import { badRequest, bodyOf, checkToken, notFound } from './google';
import { json, type PlayedHost, type PlayedRequest } from './http';

type Cell = string | number | boolean;
const cell = z.union([z.string(), z.number(), z.boolean()]);
const valueRange = z.object({ range: z.string(), values: z.array(z.array(cell)) });
const inputOption = z.enum(['RAW', 'USER_ENTERED']);
const batchUpdate = z.object({ valueInputOption: inputOption, data: z.array(valueRange) });

/** `A5`, `A5:B6`, `2:2`, `A:Z`; a missing end is the same cell. */
const RANGE = /^([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?$/;

const LAST_COLUMN = 25;
/** Of the one tab. */
const TITLE = 'Sheet1';

/** From 0. */
const columnOf = (letters: string): number =>
	[...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** One spreadsheet with one tab. A row is what stands in its cells; the first has the names. */
export class Spreadsheet {
	rows: Cell[][] = [];

	constructor(readonly id: string) {}

	/** Its address, as a person copies it from the browser. */
	get link(): string {
		return `https://docs.google.com/spreadsheets/d/${this.id}/edit#gid=0`;
	}

	/** The rows below the first, by the names in it. */
	records(): Array<Record<string, Cell>> {
		const [names = [], ...rows] = this.rows;
		return rows.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	}

	/** Writes into a row as a person does. @param nth Counted from 0, below the first. */
	write(nth: number, record: Record<string, Cell>): void {
		const [names = []] = this.rows;
		const row = this.rows[nth + 1] ?? [];
		for (const [name, value] of Object.entries(record)) row[names.indexOf(name)] = value;
	}

	/** Puts rows below what is there. */
	add(...records: Array<Record<string, Cell>>): void {
		const [names = []] = this.rows;
		for (const record of records) this.rows.push(names.map((name) => record[String(name)] ?? ''));
	}
}

/** Google Sheets, at `sheets.googleapis.com`: the part that n8n's node uses. */
export class Sheets {
	readonly spreadsheets = new Map<string, Spreadsheet>();

	/** A new one with these columns. @param id At least 25 characters, as n8n expects them. */
	create(id: string, columns: readonly string[]): Spreadsheet {
		const spreadsheet = new Spreadsheet(id);
		spreadsheet.rows = [[...columns]];
		this.spreadsheets.set(id, spreadsheet);
		return spreadsheet;
	}

	readonly host: PlayedHost = (request) => {
		checkToken(request);
		const { method, url } = request;
		const path = decodeURIComponent(url.pathname);
		const [, id = '', rest = ''] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(path) ?? [];
		const spreadsheet = this.spreadsheets.get(id);
		if (spreadsheet === undefined) throw notFound('Requested entity was not found.');
		if (method === 'GET' && rest === '') return properties(spreadsheet);
		if (method === 'GET' && rest.startsWith('/values/')) {
			return read(spreadsheet, rest.slice('/values/'.length));
		}
		if (method === 'POST' && rest === '/values:batchUpdate') return update(spreadsheet, request);
		throw badRequest(`Not played: ${method} ${path}`);
	};
}

const properties = ({ rows }: Spreadsheet) => {
	const gridProperties = { rowCount: Math.max(rows.length, 1_000), columnCount: 26 };
	return json({ sheets: [{ properties: { sheetId: 0, title: TITLE, index: 0, gridProperties } }] });
};

function areaOf({ rows }: Spreadsheet, range: string) {
	const [name = '', cells = 'A:Z'] = range.split('!');
	const found = RANGE.exec(cells);
	if (found === null || ![TITLE, `'${TITLE}'`].includes(name)) {
		throw badRequest(`Unable to parse range: ${range}`);
	}
	const [, column = '', row = '', lastColumn = column, lastRow = row] = found;
	return {
		row: row === '' ? 0 : Number(row) - 1,
		column: column === '' ? 0 : columnOf(column),
		lastRow: lastRow === '' ? rows.length - 1 : Number(lastRow) - 1,
		lastColumn: lastColumn === '' ? LAST_COLUMN : columnOf(lastColumn),
	};
}

/** As Google does, without empty cells at the end of a row, and without empty rows at the end. */
function read(spreadsheet: Spreadsheet, range: string) {
	const { row, column, lastRow, lastColumn } = areaOf(spreadsheet, range);
	const values = spreadsheet.rows
		.slice(row, lastRow + 1)
		.map((cells) => trimmed(cells.slice(column, lastColumn + 1), (value) => value === ''));
	return json({ range, majorDimension: 'ROWS', values: trimmed(values, ({ length }) => !length) });
}

const trimmed = <Value>(values: Value[], isEmpty: (value: Value) => boolean): Value[] =>
	values.slice(0, values.map(isEmpty).lastIndexOf(false) + 1);

function update(spreadsheet: Spreadsheet, request: PlayedRequest) {
	const { data } = bodyOf(request, batchUpdate);
	for (const { range, values } of data) {
		const { row, column } = areaOf(spreadsheet, range);
		for (const [down, cells] of values.entries()) {
			const target = (spreadsheet.rows[row + down] ??= []);
			for (const [right, value] of cells.entries()) {
				while (target.length < column + right) target.push('');
				target[column + right] = value;
			}
		}
	}
	return json({ spreadsheetId: spreadsheet.id, totalUpdatedCells: data.length });
}
