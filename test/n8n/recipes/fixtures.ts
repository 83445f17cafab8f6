import { randomUUID } from 'node:crypto';
import type { DataTable, EndedExecution, SavedWorkflow } from '../../../tools/n8n/api';
import { startBucket } from '../../../tools/n8n/bucket';
import {
	SHEET_COLUMNS,
	TABLE_COLUMNS,
	prepared,
	readExample,
	tableSetting,
	type FilledIn,
	type TableName,
} from '../../../tools/n8n/examples';
import { startMailbox } from '../../../tools/n8n/mailbox';
import { folderLink } from '../../../tools/mock-services/drive';
import type { Spreadsheet } from '../../../tools/mock-services/sheets';
import {
	VIDEOGEN_TYPE,
	type Credentials,
	type NewNode,
	type NewWorkflow,
} from '../../../tools/n8n/workflows';
import { startSimulator } from '../../../tools/simulator';
import { sampleMp4, samplePng, sampleWav } from '../../../tools/simulator/sampleFiles';
import { served, type Suite } from '../support/suite';
import type { RecipeEnvironment } from './recipeEnvironment';
import { startModel } from '../support/model';
import { POLL_INTERVAL_SECONDS } from '../support/workflows';
import { WISH } from './plays';

export type RecipeSuite = Suite<RecipeEnvironment>;

/** Who gets the mails of the recipes. */
export const PERSON = 'person@example.com';
const MAILS = ['Ask for Approval', 'Send Link', 'Send Report'];
/** Of the played Drive and Slack. */
export const FOLDER = '1folderOfTheTestsInTheDrive';
export const IMAGES_FOLDER = '1folderOfTheTestsWithImages';
/** The folder of videos, wherever a recipe asks for it. */
export function folderSettings(id: string): FilledIn {
	const folder = folderLink(id);
	return { folder, 'Save to Drive.folderId': folder };
}
/** Who may create videos with the bot. */
export const BOSS = 4711;
export const CHANNEL = '#videos';

/** n8n takes whoever has no browser for a scanner of mails, and does not count its click. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

/** Opens a link of a mail, as a person does. */
export const openLink = async (url: string): Promise<Response> =>
	await fetch(url, { headers: BROWSER });

/** Beside a service and tables: a host of files, a bucket, mail and a model. */
async function startPlace(n8n: RecipeSuite) {
	const { api } = n8n;
	const { googleCredential, slack, telegram, drive } = n8n.environment.services;
	for (const folder of [FOLDER, IMAGES_FOLDER]) drive.folders.add(folder);
	slack.channels.add(CHANNEL);
	const host = n8n.closeAtEnd(await startSimulator());
	const bucket = n8n.closeAtEnd(await startBucket());
	const mailbox = n8n.closeAtEnd(await startMailbox());
	const { model, credential: openAiApi } = await startModel(n8n);
	const secret = { token: 'the-secret-of-the-mcp-clients' };
	const ofGoogle = async (type: string) => await api.createCredential(type, googleCredential, type);
	const credentials = {
		openAiApi,
		googleDriveOAuth2Api: await ofGoogle('googleDriveOAuth2Api'),
		googleSheetsOAuth2Api: await ofGoogle('googleSheetsOAuth2Api'),
		youTubeOAuth2Api: await ofGoogle('youTubeOAuth2Api'),
		slackApi: await api.createCredential('Slack', slack.credential, 'slackApi'),
		telegramApi: await api.createCredential('Bot', telegram.credential, 'telegramApi'),
		s3: await api.createCredential('Bucket', bucket.credential, 's3'),
		smtp: await api.createCredential('Mail', mailbox.credential, 'smtp'),
		httpBearerAuth: await api.createCredential('MCP clients', secret, 'httpBearerAuth'),
	};
	return { ...n8n.environment.services, host, bucket, mails: mailbox.mails, model, credentials };
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

	/** Starts all of it, until the end of the tests. */
	static async open(n8n: RecipeSuite): Promise<Fixtures> {
		return new Fixtures(n8n, await startPlace(n8n));
	}

	/** The same with a service and tables of its own. */
	async aside(n8n: RecipeSuite): Promise<Fixtures> {
		const fixtures = new Fixtures(n8n, this.place);
		await fixtures.layTables();
		return fixtures;
	}

	/** Nothing that listens, no mails, files and messages, and empty tables; before whatever is made here. */
	async clean(): Promise<void> {
		for (const one of this.published.splice(0)) await this.n8n.api.unpublish(one);
		this.place.mails.length = 0;
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
		if (table === undefined) throw new Error('Tables are made by `clean`');
		return table;
	}

	/** Makes the sheet of the recipe: what the notes say of its first row, and these rows. */
	sheet(recipe: keyof typeof SHEET_COLUMNS, ...rows: Array<Record<string, string>>): Spreadsheet {
		const id = `sheet-of-a-test-${randomUUID()}`;
		this.openSheet = this.place.sheets.create(id, SHEET_COLUMNS[recipe]);
		this.openSheet.add(...rows);
		return this.openSheet;
	}

	/** The rows of a table in their order, and of each these columns. */
	async rows(name: TableName, ...columns: string[]): Promise<unknown[][]> {
		const rows = await this.n8n.api.rowsOf(this.table(name));
		return rows
			.sort((one, other) => Number(one.id) - Number(other.id))
			.map((row) => columns.map((column) => row[column] ?? ''));
	}

	/** An image of its own, as something that the service can fetch. */
	private image(name: string, shade: number): string {
		return served(this.place.host, name, samplePng([shade, shade, shade]));
	}

	/** What a person fills in; each recipe takes what it asks for. */
	settings(): FilledIn {
		const { n8n } = this;
		const { bucket, host } = this.place;
		const tables = [...this.tables].map(([name, table]) => [
			name,
			tableSetting(table, n8n.version),
		]);
		return {
			...Object.fromEntries(tables),
			'Save to Bucket.bucketName': bucket.name,
			bucketUrl: bucket.url,
			...Object.fromEntries(MAILS.map((node) => [`${node}.toEmail`, PERSON])),
			sheet: String(this.openSheet?.link),
			...folderSettings(FOLDER),
			'Ask in Slack.channelId': CHANNEL,
			'Tell Slack.channelId': CHANNEL,
			images: folderLink(IMAGES_FOLDER),
			'Receive Message.userIds': `${BOSS}, 1`,
			imageUrls: `${this.image('coat.png', 20)}, ${this.image('hat.png', 30)}`,
			videoUrls: served(host, 'scene.mp4', sampleMp4()),
			audioUrls: served(host, 'voice.wav', sampleWav()),
		};
	}

	/** A recipe as it is after a person has followed its notes. */
	recipe(file: string, changes: FilledIn = {}, credentials: Credentials = {}): NewWorkflow {
		const { credential: videogenApi } = this.n8n.environment;
		const workflow = prepared(readExample(file), {
			credentials: { ...this.place.credentials, videogenApi, ...credentials },
			settings: { ...this.settings(), ...changes },
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
