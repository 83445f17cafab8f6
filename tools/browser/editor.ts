import type { Browser, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { BROWSER_ID, type SavedWorkflow } from '../n8n/api';
import { PATIENCE_MS, pollUntil } from '../n8n/poll';
import { NEWEST, type N8nVersion } from '../n8n/versions';
import { OWNER } from '../n8n/testbed';
import { CredentialDialog } from './credentialDialog';
import { NodePanel } from './nodePanel';
import { testId } from './testId';

/** Large enough for all fields of an operation. */
export const VIEW = { width: 1440, height: 1160 };
/** Runs in the browser: until it has drawn the page anew. */
const TWO_FRAMES = 'new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))';
/** The same: what the editor does after *Back*. */
const FOLLOW_ADDRESS = "dispatchEvent(new PopStateEvent('popstate', { state: null }))";
/** The address of an execution, by which the editor gets how it ended. */
const OUTCOME = /\/rest\/executions\/\d+$/;
/** The address by which a panel gets the columns of a table or a sheet. */
const COLUMNS = /resource-mapper-fields/;
/** What a double click opens in a node on the canvas, whatever its kind. */
const SHAPE = '[data-test-id^="canvas-"][data-test-id$="-node"]';
const GOES_WITHIN_MS = 3_000;
const NOTHING_IS_CALLED_THIS = 'qqqqqqqq';

const copiedSchema = z.object({
	nodes: z.array(z.object({ name: z.string(), parameters: z.record(z.unknown()) })),
});
type CopiedNode = z.infer<typeof copiedSchema>['nodes'][number];

/** n8n's editor as a person uses it. What differs between n8n versions is known here alone. */
export class Editor {
	private isLoaded = false;

	private constructor(
		readonly page: Page,
		private readonly baseUrl: string,
		private readonly version: N8nVersion,
	) {}

	/** Opens a page of its own, and logs in without the editor, which is loaded with the first workflow. */
	static async open(browser: Browser, baseUrl: string, version: N8nVersion): Promise<Editor> {
		// What moves for looks alone takes the processor a seventh of the browser's time.
		const page = await browser.newPage({ viewport: VIEW, reducedMotion: 'reduce' });
		page.setDefaultTimeout(PATIENCE_MS);
		// Leaving a workflow with unsaved changes asks first.
		page.on('dialog', (dialog) => void dialog.accept());
		const { email, password } = OWNER;
		const login = await page.context().request.post(`${baseUrl}/rest/login`, {
			headers: { 'browser-id': BROWSER_ID },
			data: { emailOrLdapLoginId: email, password },
		});
		if (!login.ok()) throw new Error(`The login answered ${login.status()}`);
		// The editor takes this one for its own.
		const content = `localStorage.setItem('n8n-browserId', ${JSON.stringify(BROWSER_ID)})`;
		await page.addInitScript({ content });
		return new Editor(page, baseUrl, version);
	}

	/**
	 * Goes there as the editor's own links do: to load the editor anew takes a core five seconds. That
	 * is done where something is open or unsaved, which n8n does not leave without asking.
	 */
	async openWorkflow({ id }: SavedWorkflow): Promise<void> {
		const path = `/workflow/${id}`;
		if (this.isLoaded) await this.goTo(path, id);
		else await this.page.goto(this.baseUrl + path);
		this.isLoaded = true;
		await this.page.evaluate(TWO_FRAMES);
		await this.page.locator(testId('canvas-node')).first().waitFor();
	}

	private async goTo(path: string, id: string): Promise<void> {
		const fetched = this.page.waitForResponse(
			(answer) => answer.url().includes(`/workflows/${id}`),
			{ timeout: GOES_WITHIN_MS },
		);
		// On a busy machine, it may be late before anyone waits for it.
		const isFetched = fetched.then(
			() => true,
			() => false,
		);
		await this.page.evaluate(`history.pushState(null, '', '${path}'); ${FOLLOW_ADDRESS}`);
		if (!(await isFetched)) await this.page.reload();
	}

	/** *Zoom to Fit*, until the canvas stands still. */
	async zoomToFit(): Promise<void> {
		const pane = this.page.locator('.vue-flow__transformationpane');
		await this.page.locator(testId('zoom-to-fit')).click();
		for (let now: string | null = '', before: string | null = null; now !== before;) {
			before = now;
			await this.page.evaluate(TWO_FRAMES);
			now = await pane.getAttribute('style');
		}
	}

	/** A double click on a node of the open workflow. */
	async openNode(name: string): Promise<NodePanel> {
		await this.node(name).dblclick();
		return await this.nodePanel();
	}

	/** Opens a node of any kind and closes it, as a person who changes nothing. */
	async lookAt(name: string, hasColumns: boolean): Promise<void> {
		const fields = this.page.locator(testId('node-parameters')).first();
		// The panel may ask which columns there are, and adapts to the answer.
		const asked = hasColumns
			? this.page
					.waitForResponse((answer) => COLUMNS.test(answer.url()), { timeout: GOES_WITHIN_MS })
					.catch(() => undefined)
			: undefined;
		// Not by the mouse: in a large workflow, another node may lie over it.
		await this.node(name).locator(SHAPE).last().dispatchEvent('dblclick');
		await fields.waitFor();
		await asked;
		await this.page.evaluate(TWO_FRAMES);
		await this.page.keyboard.press('Escape');
		await fields.waitFor({ state: 'detached' });
	}

	/** All nodes of the open workflow as they would be saved now, by *Copy*, in the order of their names. */
	async copyNodes(): Promise<CopiedNode[]> {
		const { page } = this;
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate("navigator.clipboard.writeText('')");
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.press('ControlOrMeta+c');
		const copied = async () =>
			(await page.evaluate<string>('navigator.clipboard.readText()')) || undefined;
		const text = await pollUntil(copied, { what: 'the copied nodes' });
		await page.keyboard.press('Escape');
		const { nodes } = copiedSchema.parse(JSON.parse(text));
		return nodes.sort((one, other) => one.name.localeCompare(other.name));
	}

	/** *Execute workflow*, until it may be pressed again. */
	async execute(): Promise<void> {
		const button = this.page.locator(testId('execute-workflow-button'));
		// It asks for the outcome; one who executes again before sees that of the first time.
		const seen = this.page.waitForResponse((answer) => OUTCOME.test(answer.url()));
		await button.click();
		await seen;
		await this.page.locator(testId('canvas-node-status-success')).last().waitFor();
		await button.getByText('Execute workflow', { exact: true }).waitFor();
	}

	/** *Execute workflow*, until the editor shows how the execution ended. */
	async executeToAnyEnd(ended: () => Promise<unknown>): Promise<void> {
		await this.page.locator(testId('execute-workflow-button')).click();
		await ended();
		await this.page.locator(testId('stop-execution-button')).waitFor({ state: 'detached' });
	}

	/** Searches the panel with all nodes; what an earlier search found is gone by then. */
	async searchNodes(text: string): Promise<Locator> {
		const panel = this.page.locator(testId('node-creator'));
		if (!(await panel.isVisible())) {
			await this.page.locator(testId('node-creator-plus-button')).click();
		}
		const search = panel.getByRole('textbox');
		await search.fill(NOTHING_IS_CALLED_THIS);
		await panel.locator(testId('node-creator-no-results')).waitFor();
		await search.fill(text);
		return panel;
	}

	/** The names of the nodes that were found, the first first. */
	async found(panel: Locator): Promise<string[]> {
		const names = panel.locator(testId('node-creator-item-name'));
		await names.first().waitFor();
		return await names.allInnerTexts();
	}

	/** A click on a node that was found, and on one of its actions. */
	async addNode(panel: Locator, name: string, action: string): Promise<NodePanel> {
		await panel.getByText(name, { exact: true }).first().click();
		await panel.getByText(action, { exact: true }).click();
		return await this.nodePanel();
	}

	/** *Create new credential* in the open node. */
	async newCredential(): Promise<CredentialDialog> {
		await this.page.locator(testId('node-credentials-select')).click();
		await this.page.locator(testId('node-credentials-select-item-new')).click();
		const dialog = new CredentialDialog(this.page, this.version === NEWEST);
		await dialog.isOpen();
		return dialog;
	}

	private node(name: string): Locator {
		return this.page.locator(`${testId('canvas-node')}[data-node-name="${name}"]`);
	}

	private async nodePanel(): Promise<NodePanel> {
		const panel = new NodePanel(this.page);
		await panel.isOpen();
		return panel;
	}
}
