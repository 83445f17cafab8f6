import type { Browser } from 'playwright-core';
import { LABELS } from '../../../nodes/Videogen/shared/messages';
import type { EndedExecution, SavedWorkflow } from '../../../tools/n8n/api';
import { VIDEOGEN_NODE, triggerNode } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import { launchChromium } from '../../../tools/browser/chromium';
import { Editor } from '../../../tools/browser/editor';
import type { NodePanel } from '../../../tools/browser/nodePanel';
import type { Suite } from '../support/suite';
import { itemsOf, PROMPT_OF_ITEM, replyWith, WRONG_KEY, waiting } from '../support/workflows';

const FOX = { prompt: 'A red fox runs through fresh snow', ...waiting() };

/** Labels of the fields as the node is new, in the order in which one fills them in. */
const FIELDS = [
	...['Operation', LABELS.prompt, 'Duration (Seconds)', 'Quality', 'Aspect Ratio'],
	...[LABELS.waitForCompletion, LABELS.downloadResults, 'Simplify', LABELS.options],
];

/** What people search for, with or without knowing the node's name. */
const PURPOSES = ['Videogen', 'image to video', 'create video', 'video generation', 'ai video'];

/** Entries of Options that belong to a file, and to waiting. */
const FILE_OPTION = 'Put Output File in Field';
const WAIT_OPTION = LABELS.timeoutMinutes;

/** What a person sees and does in the editor, in a real browser. */
export function testEditor(n8n: Suite): void {
	describe('the editor', () => {
		let browser: Browser;
		let editor: Editor;
		beforeAll(async () => {
			browser = await launchChromium();
			editor = await Editor.open(browser, n8n.api.baseUrl, n8n.version);
		});
		afterAll(async () => await browser?.close());

		const save = async (given: Record<string, unknown>): Promise<SavedWorkflow> => {
			// As the node is new.
			const defaults = { simplify: true, downloadResults: given.operation !== 'getTask' };
			const parameters = { ...defaults, ...given };
			return await n8n.api.createWorkflow(n8n.workflow({ parameters }));
		};

		const open = async (workflow: SavedWorkflow): Promise<NodePanel> => {
			await editor.openWorkflow(workflow);
			return await editor.openNode(VIDEOGEN_NODE);
		};
		const openNode = async (parameters: Record<string, unknown>) =>
			await open(await save(parameters));

		/** Presses *Execute step*, and looks at how n8n has saved the end of the execution. */
		const execute = async (
			status: EndedExecution['status'],
			parameters: Record<string, unknown>,
		) => {
			const workflow = await save(parameters);
			const node = await open(workflow);
			await node.execute();
			await n8n.ended(await n8n.api.firstExecutionOf(workflow), status);
			return node;
		};

		n8n.itOnNewest('plays a practice clip without a key', async () => {
			const node = await openNode({ prompt: 'A red fox', downloadResults: true });
			const dialog = await editor.newCredential();
			await dialog.choose('environment', 'Practice');
			expect(await dialog.labels()).not.toContain(LABELS.apiKey);
			await dialog.saveAndLeave();
			await node.execute();
			expect((await node.playVideo()).durationSeconds).toBe(3);
			expect(n8n.sim.requests).toEqual([]);
		});

		n8n.itOnNewest(
			'finds the node by what it is for, and adds it with one of its actions',
			async () => {
				await editor.openWorkflow(
					await n8n.api.createWorkflow(n8n.chain([triggerNode()], { name: 'Videos for the shop' })),
				);
				for (const search of PURPOSES) {
					const [first] = await editor.found(await editor.searchNodes(search));
					expect([search, first]).toEqual([search, VIDEOGEN_NODE]);
				}
				// n8n adds how popular a node of its own is: Google Gemini stays before it.
				const names = await editor.found(await editor.searchNodes('video'));
				expect(names.slice(0, 2)).toContain(VIDEOGEN_NODE);
				const found = await editor.searchNodes('text to video');
				await found.getByText(VIDEOGEN_NODE, { exact: true }).first().waitFor();

				const node = await editor.addNode(found, VIDEOGEN_NODE, 'Create video from images');
				expect(await node.labels()).toContain('First Image URL');
			},
		);

		it('shows the fields and the options that apply', async () => {
			const create = await openNode({});
			expect(await create.labels()).toEqual(FIELDS);
			await create.fill('prompt', FOX.prompt);
			const options = [FILE_OPTION, WAIT_OPTION, LABELS.callbackUrl];
			expect(await create.addable('options')).toEqual(expect.arrayContaining(options));
			await create.toggle('waitForCompletion');
			await create.shows('downloadResults', false);
			const left = await create.addable('options');
			expect(options.filter((option) => left.includes(option))).toEqual([LABELS.callbackUrl]);

			const get = await openNode({ operation: 'getTask' });
			expect(await get.addable('options')).toEqual([]);
			await get.toggle('downloadResults');
			expect(await get.addable('options')).toEqual([FILE_OPTION]);
			await get.toggle('waitForCompletion');
			const both = [FILE_OPTION, WAIT_OPTION];
			expect(await get.addable('options')).toEqual(expect.arrayContaining(both));
		});

		n8n.itOnNewest('runs the node, shows the finished task, and plays its video', async () => {
			const node = await execute('success', { ...FOX, downloadResults: true });
			const task = n8n.onlyTask();
			await node.outputShows([task.id, 'completed', ...task.results()]);
			const played = await node.playVideo();
			expect(played.width).toBeGreaterThan(0);
			expect(played.durationSeconds).toBeGreaterThan(1);
			expect(played.currentSeconds).toBeGreaterThan(0);
		});

		n8n.itOnNewest(
			'says beside the output which execution a second click in the editor has reused',
			async () => {
				const workflow = await save(FOX);
				await editor.openWorkflow(workflow);
				await editor.execute();
				await editor.execute();
				const node = await editor.openNode(VIDEOGEN_NODE);
				const [, firstId] = await n8n.api.executionsOf(workflow);
				await node.hints(`Reused the video from execution ${firstId}`);
				expect(n8n.sim.creates()).toHaveLength(1);
			},
		);

		n8n.itOnNewest(
			'says beside an empty output how many items ended in an error, and why',
			async () => {
				n8n.sim.script({ on: 'create', times: Infinity, fault: replyWith(400) });
				const items = itemsOf(['1', '2', '3', '4', '5']);
				const onError = 'continueErrorOutput';
				const parameters = { ...waiting(), ...PROMPT_OF_ITEM };
				const workflow = n8n.workflow({ parameters, items, onError });
				await editor.openWorkflow(await n8n.api.createWorkflow(workflow));
				await editor.execute();
				const node = await editor.openNode(VIDEOGEN_NODE);
				await node.hints('5 of 5');
				await node.hints('(400)');
			},
		);

		n8n.itOnNewest('shows what a service says as text, never as HTML', async () => {
			const html =
				'<img src="stranger" onerror="alert(1)"><a href="https://stranger.example">Sign in</a>';
			const stranger = editor.page.locator('img[src^="stranger"], a[href*="stranger"]');
			n8n.sim.planTask({ outcome: 'failed', error: { message: html } });
			const failed = await execute('error', FOX);
			const { message, description } = await failed.error();
			expect(`${message} ${description}`).toContain('›Sign in‹/a›');
			expect(await stranger.count()).toBe(0);
		});

		// The last: its dialog stays open.
		it('creates a credential, says that it works, and says what is wrong with it', async () => {
			await openNode({});
			const dialog = await editor.newCredential();
			await dialog.fill('apiKey', DEFAULT_API_KEY);
			await dialog.fill('baseUrl', n8n.sim.baseUrl);
			await dialog.saveWorking();

			await dialog.fill('apiKey', WRONG_KEY);
			const said = await dialog.saveBroken();
			expect(said).toContain('401');
			expect(said).not.toContain(WRONG_KEY);
			expect(n8n.sim.creates()).toEqual([]);
		});
	});
}
