import { randomUUID } from 'node:crypto';
import type {
	CredentialRef,
	DataTable,
	EndedExecution,
	SavedWorkflow,
} from '../../../tools/n8n/api';
import {
	SHEET_COLUMNS,
	TABLE_COLUMNS,
	prepared,
	readExample,
	type FilledIn,
	type TableName,
} from '../../../tools/n8n/examples';
import { recipeSettings } from '../../../tools/mock-services/settings';
import type { Spreadsheet } from '../../../tools/mock-services/sheets';
import {
	VIDEOGEN_TYPE,
	type Credentials,
	type NewNode,
	type NewWorkflow,
} from '../../../tools/n8n/workflows';
import { startSimulator } from '../../../tools/simulator';
import type { Suite } from '../support/suite';
import type { RecipeEnvironment } from './recipeEnvironment';
import { startModel } from '../support/model';
import { POLL_INTERVAL_SECONDS } from '../support/workflows';
import { WISH } from './plays';

export type RecipeSuite = Suite<RecipeEnvironment>;

/** Who gets the mails of the recipes, as they come. */
export const PERSON = 'you@example.com';

/** n8n takes whoever has no browser for a scanner of mails, and does not count its click. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

/** Opens a link of a mail, as a person does. */
export const openLink = async (url: string): Promise<Response> =>
	await fetch(url, { headers: BROWSER });

/** Beside a service and tables: the played services, a host of files, and a model. */
async function startPlace(n8n: RecipeSuite) {
	const { services } = n8n.environment;
	const host = n8n.closeAtEnd(await startSimulator());
	const { model, credential: openAiApi } = await startModel(n8n);
	const credentials: Record<string, CredentialRef> = { openAiApi };
	for (const [type, data] of Object.entries(services.credentials)) {
		credentials[type] = await n8n.api.createCredential(type, data, type);
	}
	return { ...services, host, model, credentials };
}
type Place = Awaited<ReturnType<typeof startPlace>>;

/** Tasks are final within a second here: a recipe's own interval would be most of the tests' time. */
const readSoon = (node: NewNode): NewNode => {
	if (!node.type.startsWith(VIDEOGEN_TYPE)) return node;
	const options = {
		pollIntervalSeconds: POLL_INTERVAL_SECONDS,
		...Object(node.parameters.options),
	};
	return { ...node, parameters: { ...node.parameters, options } };
};

/** All that the recipes need. */
export class Fixtures {
	private tables = new Map<string, DataTable>();
	private openSheet: Spreadsheet | undefined;
	private published: SavedWorkflow[] = [];

	private constructor(
		readonly n8n: RecipeSuite,
		readonly place: Place,
	) {}

	/** With a service and tables of its own; starts the rest, until the end of the tests, unless given. */
	static async open(n8n: RecipeSuite, place?: Place): Promise<Fixtures> {
		const fixtures = new Fixtures(n8n, place ?? (await startPlace(n8n)));
		await fixtures.layTables();
		return fixtures;
	}

	/** Nothing that listens, no mails, files and messages, and empty tables; before each test. */
	async clean(): Promise<void> {
		for (const one of this.published.splice(0)) await this.n8n.api.unpublish(one);
		this.place.reset();
		await this.layTables();
	}

	private async layTables(): Promise<void> {
		for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
			const table = await this.n8n.api.createDataTable(`${name} ${randomUUID()}`, columns);
			this.tables.set(name, table);
		}
	}

	table(name: TableName): DataTable {
		const table = this.tables.get(name);
		if (table === undefined) throw new Error(`There is no table ${name}`);
		return table;
	}

	/** Makes the sheet of the recipe: what the notes say of its first row, and these rows. */
	sheet(recipe: keyof typeof SHEET_COLUMNS, ...rows: Array<Record<string, string>>): Spreadsheet {
		const id = `sheet-of-a-test-${randomUUID()}`;
		this.openSheet = this.place.sheets.create(id, SHEET_COLUMNS[recipe], rows);
		return this.openSheet;
	}

	/** The rows of a table in their order, and of each these columns. */
	async rows(name: TableName, ...columns: string[]): Promise<unknown[][]> {
		const rows = await this.n8n.api.rowsOf(this.table(name));
		return rows
			.sort((one, other) => Number(one.id) - Number(other.id))
			.map((row) => columns.map((column) => row[column] ?? ''));
	}

	/** A recipe as it is after a person has followed its notes. */
	recipe(file: string, changes: FilledIn = {}, credentials: Credentials = {}): NewWorkflow {
		const { bucket, host } = this.place;
		const { credential: videogenApi } = this.n8n.environment;
		const tables = [...this.tables].map(([wanted, { name }]) => [wanted, name]);
		const workflow = prepared(readExample(file), {
			credentials: { ...this.place.credentials, videogenApi, ...credentials },
			settings: {
				...recipeSettings(bucket, host),
				...Object.fromEntries(tables),
				sheet: String(this.openSheet?.link),
				...changes,
			},
		});
		return { ...workflow, nodes: workflow.nodes.map(readSoon) };
	}

	/** Runs a recipe once, as *Execute workflow* does. */
	async run(...wanted: Parameters<Fixtures['recipe']>): Promise<EndedExecution> {
		return await (await this.imported(...wanted)).execute();
	}

	/** Publishes a recipe, until the next test. */
	async publish(...wanted: Parameters<Fixtures['recipe']>): Promise<SavedWorkflow> {
		const { saved } = await this.imported(...wanted);
		this.published.push(saved);
		await this.n8n.api.publish(saved);
		return saved;
	}

	/** The same, imported into n8n. */
	async imported(...wanted: Parameters<Fixtures['recipe']>): Promise<Imported> {
		return new Imported(this, wanted, await this.n8n.api.createWorkflow(this.recipe(...wanted)));
	}
}

/** A recipe in n8n, with which a person works in the editor. */
export class Imported {
	constructor(
		private readonly fixtures: Fixtures,
		private readonly wanted: Parameters<Fixtures['recipe']>,
		public saved: SavedWorkflow,
	) {}

	/** Presses *Execute workflow*, or starts it by what somebody writes; gives the ID of the execution. */
	async start(written?: Record<string, unknown>): Promise<string> {
		const wish = this.saved.nodes.find(({ name }) => name === WISH);
		return await this.fixtures.n8n.api.runWorkflow(this.saved, written, wish?.name);
	}

	/** The same, until the end. */
	async execute(ends?: EndedExecution['status']): Promise<EndedExecution> {
		return await this.fixtures.n8n.ended(await this.start(), ends);
	}

	/** The same, with what somebody writes. */
	async called(written: Record<string, unknown>): Promise<EndedExecution> {
		return await this.fixtures.n8n.ended(await this.start(written));
	}

	/** Fills in something else, and saves. */
	async fillIn(changes: FilledIn): Promise<void> {
		const [file, settings, credentials] = this.wanted;
		const { nodes } = this.fixtures.recipe(file, { ...settings, ...changes }, credentials);
		this.saved = await this.fixtures.n8n.api.updateNodes({ ...this.saved, nodes });
	}
}
