import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { operations } from '../../../nodes/Videogen/operations';
import type { Operation } from '../../../nodes/Videogen/operations/operation';
import type { TableRow } from '../../support/markdown';
import { codeIn, section, tableRows } from '../../support/markdown';

const README = readFileSync(path.join(__dirname, '..', '..', '..', 'README.md'), 'utf8');
const TEXT_ONLY = /Text video only\./;
/** Whose table lists what all create operations share. */
const SHARED_TABLE = 'Create Text Video';

/** A field, or an entry of Options under its own name, as one row of a table has to show it. */
interface Parameter {
	name: string;
	label: string;
	field: INodeProperties;
}

function entriesOf(collection: INodeProperties): INodeProperties[] {
	return (collection.options ?? []).map((entry) => {
		if (!('displayName' in entry) || !('type' in entry)) throw new Error(`${entry.name} is odd`);
		return entry;
	});
}

/** Notices aside. Wait Options is one row that refers to a table of its own. */
const parametersOf = ({ fields }: Operation): Parameter[] =>
	fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) =>
			field.name === 'options'
				? entriesOf(field).map((entry) => parameterOf(entry, `options.${entry.name}`))
				: [parameterOf(field, field.name)],
		);

const parameterOf = (field: INodeProperties, name: string): Parameter => ({
	name,
	label: field.displayName,
	field,
});

const nameIn = (row: TableRow): string => codeIn(row['Internal name'] ?? '')[0] ?? '';

const labelIn = (row: TableRow): string => /\*\*(.*?)\*\*/.exec(row.Field ?? '')?.[1] ?? '';

/** An empty text or collection is a dash, anything else is in code marks. */
function shownDefault({ default: value }: INodeProperties): string {
	const isNothing = value === '' || (typeof value === 'object' && value !== null);
	return isNothing ? '–' : `\`${String(value)}\``;
}

function rowsOf({ name, value }: Operation): TableRow[] {
	const own = tableRows(section(README, name));
	if (value === 'getTask' || name === SHARED_TABLE) return own;
	const shared = tableRows(section(README, SHARED_TABLE));
	return [...shared.filter((row) => !TEXT_ONLY.test(row.Meaning ?? '')), ...own];
}

function expectRow(rows: TableRow[], { name, label, field }: Parameter): void {
	const row = rows.find((one) => nameIn(one) === name);
	expect(row).toBeDefined();
	if (row === undefined) return;
	expect(labelIn(row)).toBe(label);
	expect(row.Default).toBe(shownDefault(field));
	for (const value of menuValues(field)) expect(codeIn(row.Meaning ?? '')).toContain(value);
	const { minValue, maxValue } = field.typeOptions ?? {};
	const limits = [minValue, maxValue].filter((limit) => limit !== undefined && limit > 1);
	for (const limit of limits) expect(row.Meaning).toMatch(new RegExp(`\\b${limit}\\b`));
}

const menuValues = ({ type, options = [] }: INodeProperties): unknown[] =>
	type === 'options' ? options.map((option) => ('value' in option ? option.value : undefined)) : [];

const cases = operations.flatMap((operation) =>
	parametersOf(operation).map(
		(parameter) => [operation.name, parameter.name, operation, parameter] as const,
	),
);

describe("the README's tables of fields", () => {
	test.each(cases)(
		'%s: %s has its row, label, default and choices',
		(_operation, _name, operation, parameter) => {
			expectRow(rowsOf(operation), parameter);
		},
	);

	test.each(operations.map((operation) => [operation.name, operation] as const))(
		'%s has no row for a field that does not exist, and none twice',
		(_name, operation) => {
			const names = rowsOf(operation).map(nameIn);
			const expected = parametersOf(operation).map(({ name }) => name);
			// The shared table has one row for the collection itself in the place of its entries.
			expect([...names].sort()).toEqual([...expected].sort());
		},
	);

	test('mark as text video only what the other operations do not have', () => {
		const [text, ...others] = operations.filter(({ value }) => value !== 'getTask');
		if (text === undefined) throw new Error('There is no operation');
		const elsewhere = new Set(others.flatMap(parametersOf).map(({ name }) => name));
		const marked = tableRows(section(README, SHARED_TABLE))
			.filter((row) => TEXT_ONLY.test(row.Meaning ?? ''))
			.map(nameIn);
		const ownNames = parametersOf(text)
			.map(({ name }) => name)
			.filter((name) => !elsewhere.has(name));
		expect(marked.sort()).toEqual(ownNames.sort());
	});

	test('the limits of the lists are those of the fields', () => {
		const reference = operations.find(({ value }) => value === 'createReferenceVideo');
		const lists = reference?.fields.filter(({ hint }) => hint?.startsWith('Up to ')) ?? [];
		expect(lists).toHaveLength(3);
		for (const { name, hint } of lists) {
			const row = tableRows(section(README, 'Create Reference Video')).find(
				(one) => nameIn(one) === name,
			);
			expect(row?.Meaning).toContain(/Up to \d+/.exec(hint ?? '')?.[0]);
		}
	});

	const waitOptions = operations
		.flatMap(({ fields }) => fields)
		.find(({ name }) => name === 'waitOptions');

	test('Wait Options has a row for every entry, and no other', () => {
		const rows = tableRows(section(README, 'Wait Options'));
		const entries = waitOptions === undefined ? [] : entriesOf(waitOptions);
		expect(entries).not.toHaveLength(0);
		expect(rows.map(nameIn).sort()).toEqual(entries.map(({ name }) => name).sort());
		for (const entry of entries) {
			const row = rows.find((one) => nameIn(one) === entry.name);
			expect([labelIn(row ?? {}), row?.Default]).toEqual([entry.displayName, shownDefault(entry)]);
		}
	});
});
