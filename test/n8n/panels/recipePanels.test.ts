import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../tools/browser/chromium';
import { Editor } from '../../../tools/browser/editor';
import type { CredentialRef } from '../../../tools/n8n/api';
import { TABLE_COLUMNS, exampleFiles, prepared, readExample } from '../../../tools/n8n/examples';
import { CREDENTIAL_TYPES, type NewNode } from '../../../tools/n8n/workflows';
import { startTestbed, withEditor } from '../../../tools/n8n/testbed';
import { Suite } from '../support/suite';
import { version } from '../support/version';

const MESSAGE = { chat: { id: 1 }, from: { id: 1 }, text: 'A fox in the snow' };
/** What the trigger that waits for Telegram puts out here, as a person pins it. */
const PINNED = { 'Receive Message': [{ json: { update_id: 1, message: MESSAGE } }] };

/** What n8n demands of a credential that is never used. */
const DATA_OF: Readonly<Record<string, IDataObject>> = {
	videogenApi: { environment: 'practice' },
	openAiApi: { apiKey: 'none' },
	slackApi: { accessToken: 'none' },
	telegramApi: { accessToken: 'none' },
};
const BOT = 'telegram-bot.json';
/** Its triggers wait for an MCP client. */
const STARTED_BY_CLIENT = 'videos-from-claude.json';

const isDataTable = ({ type }: NewNode): boolean => type.endsWith('.dataTable');
const isNote = ({ type }: NewNode): boolean => type.endsWith('.stickyNote');

/**
 * n8n's editor may change a node that is only opened and closed, and saves that by itself: it once
 * emptied the columns of data tables, and the next run paid for what it could not save.
 */
describe(`a look at every node of a recipe on n8n ${version}`, () => {
	const n8n = new Suite(version, async () => await startTestbed(version, withEditor(version)));
	let browser: Browser;
	let editor: Editor;
	/** A practice one, and those of accounts that nobody has. */
	const credentials: Record<string, CredentialRef> = {};
	beforeAll(async () => {
		for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
			await n8n.api.createDataTable(name, columns);
		}
		for (const type of new Set(Object.values(CREDENTIAL_TYPES))) {
			credentials[type] = await n8n.api.createCredential(type, DATA_OF[type] ?? {}, type);
		}
		browser = await launchChromium();
		editor = await Editor.open(browser, n8n.api.baseUrl, n8n.version);
	});
	afterAll(async () => await browser?.close());

	it.each(exampleFiles())('changes nothing in %s', async (file) => {
		const example = readExample(file);
		const saved = await n8n.api.createWorkflow({
			...prepared(example, { credentials }),
			pinData: file === BOT ? PINNED : {},
		});
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
