import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DataTable, Execution, SavedWorkflow } from '../../programs/realN8n/api';
import { startBucket } from '../../programs/realN8n/bucket';
import {
	ORDERS_COLUMNS,
	QUEUE_COLUMNS,
	STORY_COLUMNS,
	prepared,
	readExample,
	tableSetting,
	type Settings,
} from '../../programs/realN8n/examples';
import { startMailbox } from '../../programs/realN8n/mailbox';
import type { Credentials, NewWorkflow } from '../../programs/realN8n/workflows';
import { startSimulator } from '../../programs/simulator';
import { sampleMp4, samplePng, sampleWav } from '../../programs/support/sampleFiles';
import { served, type Suite } from '../beds/suite';
import { Desk } from '../desk';
import { startModel } from '../model';

/** Who gets the mails of the recipes. */
export const PERSON = 'person@example.com';
const TABLES = { table: QUEUE_COLUMNS, storiesTable: STORY_COLUMNS, ordersTable: ORDERS_COLUMNS };
type TableSetting = keyof typeof TABLES;

/** n8n takes whoever has no browser for a scanner of mails, and does not count its click. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

/** Opens a link of a mail, as a person does. */
export const openLink = async (url: string): Promise<Response> =>
	await fetch(url, { headers: BROWSER });

/** Beside a service and tables: a host of files, a bucket, mail and a model. */
async function startPlace(n8n: Suite) {
	const { api } = n8n;
	const host = n8n.closeAtEnd(await startSimulator());
	const bucket = n8n.closeAtEnd(await startBucket());
	const mailbox = n8n.closeAtEnd(await startMailbox());
	const { model, credential: openAiApi } = await startModel(n8n);
	const secret = { token: 'the-secret-of-the-mcp-clients' };
	const credentials = {
		openAiApi,
		s3: await api.createCredential('Bucket', bucket.credential, 's3'),
		smtp: await api.createCredential('Mail', mailbox.credential, 'smtp'),
		httpBearerAuth: await api.createCredential('MCP clients', secret, 'httpBearerAuth'),
	};
	return { host, bucket, mails: mailbox.mails, model, credentials };
}
type Place = Awaited<ReturnType<typeof startPlace>>;

/** All that the recipes need. */
export class Kitchen {
	private tables = new Map<string, DataTable>();

	private constructor(
		readonly n8n: Suite,
		readonly place: Place,
	) {}

	/** Starts all of it, until the end of the tests. */
	static async open(n8n: Suite): Promise<Kitchen> {
		return new Kitchen(n8n, await startPlace(n8n));
	}

	/** The same with a service and tables of its own. */
	async aside(n8n: Suite): Promise<Kitchen> {
		const kitchen = new Kitchen(n8n, this.place);
		await kitchen.clean();
		return kitchen;
	}

	/** Empty tables, and no mails; before whatever is made here. */
	async clean(): Promise<void> {
		this.place.mails.length = 0;
		for (const [setting, columns] of Object.entries(TABLES)) {
			const table = await this.n8n.api.createDataTable(`${setting} ${randomUUID()}`, columns);
			this.tables.set(setting, table);
		}
	}

	table(setting: TableSetting): DataTable {
		const table = this.tables.get(setting);
		if (table === undefined) throw new Error('Tables are made by `clean`');
		return table;
	}

	/** The rows of a table in their order, and of each these columns. */
	async rows(setting: TableSetting, ...columns: string[]): Promise<unknown[][]> {
		const rows = await this.n8n.api.rowsOf(this.table(setting));
		return rows
			.sort((one, other) => Number(one.id) - Number(other.id))
			.map((row) => columns.map((column) => row[column] ?? ''));
	}

	/** The path of a file in the folder that n8n reads and writes. */
	inFolder(name: string): string {
		return path.join(this.n8n.bed.filesFolder, name);
	}

	/** An image of its own, as something that the service can fetch. */
	private image(name: string, shade: number): string {
		return served(this.place.host, name, samplePng([shade, shade, shade]));
	}

	/** What a person fills in; each recipe takes what it asks for. */
	settings(): Settings {
		const { n8n } = this;
		const { bucket, host } = this.place;
		const tables = [...this.tables].map(([setting, table]) => [
			setting,
			tableSetting(table, n8n.version),
		]);
		return {
			...Object.fromEntries(tables),
			'Save to Disk.fileName': n8n.bed.filesFolder,
			'Save to Bucket.bucketName': bucket.name,
			'Saved.link': bucket.url,
			'Send Report.toEmail': PERSON,
			'Ask for Approval.toEmail': PERSON,
			'Send Final.toEmail': PERSON,
			image: this.inFolder('image.png'),
			imageFile: this.image('person.png', 10),
			imageUrls: `${this.image('coat.png', 20)}, ${this.image('hat.png', 30)}`,
			videoUrls: served(host, 'scene.mp4', sampleMp4()),
			audioUrls: served(host, 'voice.wav', sampleWav()),
		};
	}

	/** A recipe as it is after a person has followed its notes; its wait is short. */
	recipe(file: string, changes: Settings = {}, credentials: Credentials = {}): NewWorkflow {
		const { credential: videogenApi } = this.n8n.bed;
		return prepared(readExample(file), {
			credentials: { ...this.place.credentials, videogenApi, ...credentials },
			settings: { ...this.settings(), 'Wait 66 Seconds.amount': '1', ...changes },
		});
	}

	/** The same, imported into n8n. */
	async imported(...wanted: Parameters<Kitchen['recipe']>): Promise<Imported> {
		return new Imported(this, wanted, await this.n8n.api.createWorkflow(this.recipe(...wanted)));
	}
}

/** A recipe in n8n, with which a person works in the editor. */
export class Imported extends Desk {
	constructor(
		private readonly kitchen: Kitchen,
		private readonly wanted: Parameters<Kitchen['recipe']>,
		saved: SavedWorkflow,
	) {
		super(kitchen.n8n, saved);
	}

	/** Fills in something else, and saves. */
	async fillIn(changes: Settings): Promise<void> {
		const [file, settings, credentials] = this.wanted;
		const { nodes } = this.kitchen.recipe(file, { ...settings, ...changes }, credentials);
		await this.save(nodes.map((node) => ({ ...node })));
	}

	/** Starts it by what another workflow or client asks for, until the end. */
	async called(trigger: string, input: object, ends?: Execution['status']): Promise<Execution> {
		const id = await this.n8n.api.runWorkflow(this.saved, { ...input }, trigger);
		return await this.n8n.ended(id, ends);
	}
}
