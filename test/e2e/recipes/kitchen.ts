import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DataTable, Execution, SavedWorkflow } from '../../programs/realN8n/api';
import {
	ORDERS_COLUMNS,
	QUEUE_COLUMNS,
	STORY_COLUMNS,
	prepared,
	readExample,
	tableSetting,
	type Settings,
} from '../../programs/realN8n/examples';
import type { Credentials, NewWorkflow } from '../../programs/realN8n/workflows';
import type { Simulator } from '../../programs/simulator';
import { sampleMp4, samplePng, sampleWav } from '../../programs/support/sampleFiles';
import { served, simulatorOf, type Suite } from '../beds/suite';
import { bucketAndMailOf, type BucketAndMail } from '../bucketAndMail';
import type { OpenAiStandIn } from '../../programs/realN8n/openAi';
import { Desk } from '../desk';
import { modelOf } from '../model';

/** Who gets the mails of the recipes. */
export const PERSON = 'person@example.com';
const TABLES = { table: QUEUE_COLUMNS, storiesTable: STORY_COLUMNS, ordersTable: ORDERS_COLUMNS };
type TableSetting = keyof typeof TABLES;

/** Beside a service and tables: a bucket, mail, a model, a host of files, and who may call. */
interface Place {
	host: Simulator;
	outside: BucketAndMail;
	model: OpenAiStandIn;
	credentials: Credentials;
}

/** All that the recipes need. */
export class Kitchen {
	private tables = new Map<string, DataTable>();

	private constructor(
		readonly n8n: Suite,
		private readonly place: () => Place,
	) {}

	/** Call inside `describe`; each test has tables of its own. */
	static in(n8n: Suite): Kitchen {
		const host = simulatorOf(n8n);
		const outside = bucketAndMailOf(n8n);
		const { model, credential } = modelOf(n8n);
		let place: Place;
		beforeAll(async () => {
			const data = { token: 'the-secret-of-the-mcp-clients' };
			const httpBearerAuth = await n8n.api.createCredential('MCP clients', data, 'httpBearerAuth');
			const credentials = { ...outside().credentials, openAiApi: credential(), httpBearerAuth };
			place = { host: host(), outside: outside(), model: model(), credentials };
		});
		const kitchen = new Kitchen(n8n, () => place);
		beforeEach(async () => await kitchen.makeTables());
		return kitchen;
	}

	/** The same with a service and tables of its own. */
	async aside(n8n: Suite): Promise<Kitchen> {
		const kitchen = new Kitchen(n8n, this.place);
		await kitchen.makeTables();
		return kitchen;
	}

	private async makeTables(): Promise<void> {
		for (const [setting, columns] of Object.entries(TABLES)) {
			const table = await this.n8n.api.createDataTable(`${setting} ${randomUUID()}`, columns);
			this.tables.set(setting, table);
		}
	}

	/** Serves files. */
	get host(): Simulator {
		return this.place().host;
	}

	get outside(): BucketAndMail {
		return this.place().outside;
	}

	get model(): OpenAiStandIn {
		return this.place().model;
	}

	private get credentials(): Credentials {
		return { ...this.place().credentials, videogenApi: this.n8n.bed.credential };
	}

	table(setting: TableSetting): DataTable {
		const table = this.tables.get(setting);
		if (table === undefined) throw new Error('The tables are made before each test');
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
	image(name: string, shade: number): string {
		return served(this.host, name, samplePng([shade, shade, shade]));
	}

	/** What a person fills in; each recipe takes what it asks for. */
	settings(): Settings {
		const { bucket } = this.outside;
		const { filesFolder } = this.n8n.bed;
		const tables = [...this.tables].map(([setting, table]) => [
			setting,
			tableSetting(table, this.n8n.version),
		]);
		return {
			...Object.fromEntries(tables),
			'Save to Disk.fileName': filesFolder,
			'Save to Bucket.bucketName': bucket.name,
			'Saved.link': bucket.url,
			'Send Report.toEmail': PERSON,
			'Ask for Approval.toEmail': PERSON,
			'Send Final.toEmail': PERSON,
			image: this.inFolder('image.png'),
			imageFile: this.image('person.png', 10),
			imageUrls: `${this.image('coat.png', 20)}, ${this.image('hat.png', 30)}`,
			videoUrls: served(this.host, 'scene.mp4', sampleMp4()),
			audioUrls: served(this.host, 'voice.wav', sampleWav()),
		};
	}

	/** A recipe as it is after a person has followed its notes; its wait is short. */
	recipe(file: string, changes: Settings = {}, credentials: Credentials = {}): NewWorkflow {
		return prepared(readExample(file), {
			credentials: { ...this.credentials, ...credentials },
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
	async change(changes: Settings): Promise<void> {
		const [file, settings, credentials] = this.wanted;
		const { nodes } = this.kitchen.recipe(file, { ...settings, ...changes }, credentials);
		await this.save(nodes.map((node) => ({ ...node })));
	}

	/** Presses *Retry* with the workflow as it is saved now. */
	async retry(failed: Execution, ends?: Execution['status']): Promise<Execution> {
		return await this.n8n.retry(failed, ends, true);
	}
}
