import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { nodeProperties, operationMenu, operations } from '../../nodes/Videogen/operations';
import type { Operation } from '../../nodes/Videogen/operations/operation';

const NONE = '–';

const HEADER = `# Reference

Every field of the node. A program writes this page from the code; do not edit it.

The **internal name** is what saved workflows hold. A name with a dot is an option: select
**Add option** in the editor to add it. In an expression, a switch is \`true\` or \`false\`, and a menu is the
value in \`code\`. An option that you do not add has the default of its table, except for **Max New Videos**: its
description names two.`;

/** A line of a table, by the table's headings. */
type Row = Record<string, string>;

/** The page docs/reference.md, formatted as Prettier formats it. */
export function referenceText(): string {
	const creates = operations.filter(({ isCreate }) => isCreate).map(rowsOf);
	const shared = (creates[0] ?? []).filter((row) => creates.every((rows) => has(rows, row)));
	const sections = operations.map((operation) => operationSection(operation, shared));
	const sharedSection = `## Fields of all create operations\n\n${table(shared)}`;
	const { displayName, properties } = new VideogenApi();
	const credential = `## Credential “${displayName}”\n\n${table(fieldRows(properties))}`;
	return `${[HEADER, ...sections, sharedSection, credential, USAGE].join('\n\n')}\n`;
}

const USAGE = `## Usage

\`usage\` is what the provider counted, in its own words. It is **not the bill**: what you pay is in your provider's
console. [What one provider writes there](providers.md#evolink).`;

const has = (rows: Row[], wanted: Row): boolean =>
	rows.some((row) => JSON.stringify(row) === JSON.stringify(wanted));

function operationSection(operation: Operation, shared: Row[]): string {
	const { name, value, action, description } = operation;
	const facts = `${description.replace(/\.$/, '')}. Action in the nodes panel: _${action}_. Internal name: \`operation\` = \`${value}\`.`;
	const own = rowsOf(operation).filter((row) => !operation.isCreate || !has(shared, row));
	const more = 'And the [fields of all create operations](#fields-of-all-create-operations).';
	return [`## ${name}`, facts, table(own), ...(operation.isCreate ? [more] : [])].join('\n\n');
}

/** The fields of an operation, with those entries of their collections that show for it. */
const rowsOf = ({ value }: Operation): Row[] =>
	fieldRows(
		nodeProperties
			.filter((field) => field !== operationMenu && isShownFor(value, field))
			.map((field) => ({
				...field,
				options: field.options?.filter((one) => !('type' in one) || isShownFor(value, one)),
			})),
	);

const IS_OF_OPERATION = /^\/?operation$/;

function isShownFor(operation: string, { displayOptions }: INodeProperties): boolean {
	const show = Object.entries(displayOptions?.show ?? {});
	return show.every(
		([name, values]) => !IS_OF_OPERATION.test(name) || [values].flat(2).includes(operation),
	);
}

/** Fields of these types hold no value of their own. */
const HOLDING_NONE = ['collection', 'notice'];

/** Fields in the order of the editor, each collection followed by its entries. */
function fieldRows(fields: INodeProperties[]): Row[] {
	return fields.flatMap((field) =>
		// The entries of a collection are compared one by one: operations share most of them.
		HOLDING_NONE.includes(field.type)
			? entriesOf(field).map((entry) => row(entry, fields, field))
			: [row(field, fields)],
	);
}

/** What a collection offers to add. */
export const entriesOf = ({ type, options = [] }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? options.flatMap((entry) => ('type' in entry ? [entry] : [])) : [];

function row(field: INodeProperties, all: INodeProperties[], parent?: INodeProperties): Row {
	const description = String(field.description ?? '').replace(/\.$/, '');
	const texts = [description, ...conditions(field, all)].filter(Boolean);
	return {
		Field: `${parent ? `${parent.displayName} → ` : ''}**${field.displayName}**`,
		'Internal name': code(parent ? `${parent.name}.${field.name}` : field.name),
		Type: typeOf(field),
		Default: defaultOf(field),
		Limits: limitsOf(field) || NONE,
		Description: texts.map((text) => `${text}.`).join(' '),
	};
}

const code = (text: string): string => `\`${text}\``;

const TYPES: Record<string, string> = { options: 'menu', boolean: 'switch', string: 'text' };
const typeOf = ({ type, typeOptions }: INodeProperties): string =>
	typeOptions?.password ? 'secret text' : type === 'json' ? 'JSON' : (TYPES[type] ?? type);

function defaultOf({ type, default: value }: INodeProperties): string {
	if (value === '') return NONE;
	return type === 'boolean' ? (value ? 'on' : 'off') : code(String(value));
}

/** What a value may be, as far as the editor is told; the rest is in the messages of the node. */
function limitsOf(field: INodeProperties): string {
	const { required, hint = '' } = field;
	const limit = hint.charAt(0).toLowerCase() + hint.slice(1);
	const menu = choicesOf(field).map(({ name, value }) => `${code(String(value))} ${name}`);
	return [required ? 'required' : '', limit, menu.join(', ')].filter(Boolean).join('; ');
}

const choicesOf = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
	type === 'options' ? options.flatMap((option) => ('value' in option ? [option] : [])) : [];

/** When the editor shows a field, besides for its operation. */
function conditions({ displayOptions }: INodeProperties, all: INodeProperties[]): string[] {
	const shown = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values = []]) => {
		if (IS_OF_OPERATION.test(name)) return [];
		const other = all.find((field) => field.name === name.replace('/', ''));
		const wanted = [values].flat().map((value) => said(value, other));
		return `${other?.displayName} is ${wanted.join(' or ')}`;
	});
	return shown.length > 0 ? [`Shown while ${shown.join(' and ')}`] : [];
}

function said(value: unknown, other: INodeProperties | undefined): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const choice = other && choicesOf(other).find((one) => one.value === value);
	return choice?.name ?? String(value);
}

/** A Markdown table whose columns are as wide as their widest cell. */
export function table(rows: Row[]): string {
	const headings = Object.keys(rows[0] ?? {});
	const cells = [headings, ...rows.map((one) => headings.map((heading) => one[heading] ?? ''))];
	const widths = headings.map((_, column) =>
		Math.max(...cells.map((line) => line[column]?.length ?? 0)),
	);
	const line = (texts: string[]) =>
		`| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	cells.splice(1, 0, rule);
	return cells.map(line).join('\n');
}
