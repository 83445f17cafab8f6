import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../tools/browser/chromium';
import { Editor } from '../../../tools/browser/editor';
import type { SavedWorkflow } from '../../../tools/n8n/api';
import { TABLE_COLUMNS, exampleFiles, readExample } from '../../../tools/n8n/examples';
import { CREDENTIAL_TYPES, withCredential, type NewWorkflow } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { WISH } from '../recipes/plays';

const PROMPT = 'A fox in the snow';
const MESSAGE = { chat: { id: 1 }, from: { id: 1 }, text: PROMPT };
/** What triggers that wait for somebody put out here, as a person pins it. */
const PINNED: Readonly<Record<string, Record<string, unknown>>> = {
	'Receive Form': { Prompt: PROMPT, Seconds: '5', submittedAt: '2026-01-01T00:00:00.000Z' },
	'Receive Message': { update_id: 1, message: MESSAGE },
	[WISH]: { prompt: PROMPT },
};
/** Its button opens a chat. */
const CHAT = 'ai-agent-tool.json';

/**
 * n8n's editor may change a node that is only opened and closed, and saves that by itself: it once
 * emptied the columns of data tables, and the next run paid for what it could not save.
 */
export function testRecipePanels(n8n: Suite): void {
	describe('a look at every node of a recipe', () => {
		let browser: Browser;
		let editor: Editor;
		beforeAll(async () => {
			for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
				await n8n.api.createDataTable(name, columns);
			}
			browser = await launchChromium();
			editor = await Editor.open(browser, n8n.api.baseUrl, n8n.version);
		});
		afterAll(async () => await browser?.close());

		/** A practice credential, and accounts that nobody has. */
		const imported = async (example: NewWorkflow): Promise<SavedWorkflow> => {
			const credentials = Object.fromEntries(
				await Promise.all(
					[...new Set(Object.values(CREDENTIAL_TYPES))].map(async (type) => {
						const data = type === 'videogenApi' ? { environment: 'practice' } : {};
						return [type, await n8n.api.createCredential(type, data, type)] as const;
					}),
				),
			);
			const pinned = Object.entries(PINNED).filter(([trigger]) =>
				example.nodes.some(({ name }) => name === trigger),
			);
			return await n8n.api.createWorkflow({
				...example,
				nodes: example.nodes.map((node) => withCredential(node, credentials)),
				pinData: Object.fromEntries(pinned.map(([name, json]) => [name, [{ json }]])),
			});
		};

		it.each(exampleFiles())('changes nothing in %s, before and after a run', async (file) => {
			const example = readExample(file);
			const saved = await imported(example);
			await editor.openWorkflow(saved);
			// As the editor writes it: without values that are the node's own defaults.
			const before = await editor.copyNodes();
			expect(before).toHaveLength(example.nodes.length);
			const lookAround = async () => {
				for (const { name, type } of example.nodes) {
					if (!type.endsWith('.stickyNote')) await editor.lookAt(name);
				}
				expect(await editor.copyNodes()).toMatchObject(before);
			};
			await lookAround();
			if (file === CHAT) return;
			await editor.executeToAnyEnd(async () => {
				const id = await n8n.api.firstExecutionOf(saved);
				await n8n.api.waitForExecution(id);
			});
			await lookAround();
		});
	});
}
