import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../tools/browser/chromium';
import { Editor } from '../../../tools/browser/editor';
import type { SavedWorkflow } from '../../../tools/n8n/api';
import { TABLE_COLUMNS, exampleFiles, readExample } from '../../../tools/n8n/examples';
import {
	CREDENTIAL_TYPES,
	withCredential,
	type Credentials,
	type NewNode,
	type NewWorkflow,
} from '../../../tools/n8n/workflows';
import { startTestbed, WITH_EDITOR } from '../../../tools/n8n/testbed';
import { Suite } from '../support/suite';
import { version } from '../support/version';

const PROMPT = 'A fox in the snow';
const MESSAGE = { chat: { id: 1 }, from: { id: 1 }, text: PROMPT };
/** What triggers that wait for somebody put out here, as a person pins it. */
const PINNED: Readonly<Record<string, Record<string, unknown>>> = {
	'Receive Message': { update_id: 1, message: MESSAGE },
};

/** What n8n demands of a credential that is never used. */
const DATA_OF: Readonly<Record<string, IDataObject>> = {
	videogenApi: { environment: 'practice' },
	openAiApi: { apiKey: 'none' },
	slackApi: { accessToken: 'none' },
	telegramApi: { accessToken: 'none' },
};
/** Its triggers wait for an MCP client. */
const STARTED_BY_CLIENT = 'videos-from-claude.json';

const isDataTable = ({ type }: NewNode): boolean => type.endsWith('.dataTable');
const isNote = ({ type }: NewNode): boolean => type.endsWith('.stickyNote');

/**
 * n8n's editor may change a node that is only opened and closed, and saves that by itself: it once
 * emptied the columns of data tables, and the next run paid for what it could not save.
 */
describe(`a look at every node of a recipe on n8n ${version}`, () => {
	const n8n = new Suite(version, async () => await startTestbed(version, WITH_EDITOR));
	let browser: Browser;
	let editor: Editor;
	let credentials: Credentials;
	beforeAll(async () => {
		for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
			await n8n.api.createDataTable(name, columns);
		}
		credentials = await practiceAndAccounts();
		browser = await launchChromium();
		editor = await Editor.open(browser, n8n.api.baseUrl, n8n.version);
	});
	afterAll(async () => await browser?.close());

	/** A practice credential, and accounts that nobody has. */
	const practiceAndAccounts = async (): Promise<Credentials> => {
		const types = [...new Set(Object.values(CREDENTIAL_TYPES))];
		const made = types.map(async (type) => {
			return [type, await n8n.api.createCredential(type, DATA_OF[type] ?? {}, type)] as const;
		});
		return Object.fromEntries(await Promise.all(made));
	};

	const imported = async (example: NewWorkflow): Promise<SavedWorkflow> => {
		const pinned = Object.entries(PINNED).filter(([trigger]) =>
			example.nodes.some(({ name }) => name === trigger),
		);
		return await n8n.api.createWorkflow({
			...example,
			nodes: example.nodes.map((node) => withCredential(node, credentials)),
			pinData: Object.fromEntries(pinned.map(([name, json]) => [name, [{ json }]])),
		});
	};

	it.each(exampleFiles())('changes nothing in %s', async (file) => {
		const example = readExample(file);
		const saved = await imported(example);
		await editor.openWorkflow(saved);
		// As the editor writes it: without values that are the node's own defaults.
		const before = await editor.copyNodes();
		expect(before).toHaveLength(example.nodes.length);
		const lookAround = async () => {
			for (const node of example.nodes.filter((one) => !isNote(one))) {
				// No account of a sheet answers here.
				await editor.lookAt(node.name, isDataTable(node) && 'columns' in node.parameters);
			}
			expect(await editor.copyNodes()).toMatchObject(before);
		};
		await lookAround();
		// What a table's name or columns are may depend on what ran.
		if (file === STARTED_BY_CLIENT || !example.nodes.some(isDataTable)) return;
		await editor.executeToAnyEnd(async () => {
			await n8n.api.waitForExecution(await n8n.api.firstExecutionOf(saved));
		});
		await lookAround();
	});
});
