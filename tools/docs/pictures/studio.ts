import { Editor } from '../../browser/editor';
import { launchChromium } from '../../browser/chromium';
import type { NodePanel } from '../../browser/nodePanel';
import type { SavedWorkflow } from '../../n8n/api';
import { startTestbed, type Testbed } from '../../n8n/testbed';
import { NEWEST } from '../../n8n/versions';
import type { NewWorkflow, OnError } from '../../n8n/workflows';
import { Camera } from './camera';
import { CREATE, productVideos, type Product } from './workflow';

/** The newest n8n with the node, a simulated service, and a browser with a camera. */
export class Studio {
	private constructor(
		readonly bed: Testbed,
		readonly editor: Editor,
		readonly camera: Camera,
		readonly close: () => Promise<void>,
	) {}

	/** Starts all of it; the build must be up to date. */
	static async open(): Promise<Studio> {
		const bed = await startTestbed(NEWEST);
		const browser = await launchChromium();
		const editor = await Editor.open(browser, bed.api.baseUrl, NEWEST);
		return new Studio(bed, editor, new Camera(editor.page), async () => {
			await browser.close();
			await bed.stop();
		});
	}

	get credentials() {
		// Nobody runs the node of Google Sheets here.
		const googleSheetsOAuth2Api = { id: 'sheets', name: 'Google Sheets' };
		return { videogenApi: this.bed.credential, googleSheetsOAuth2Api };
	}

	async keep(workflow: NewWorkflow): Promise<SavedWorkflow> {
		return await this.bed.api.createWorkflow(workflow);
	}

	async forgetCredential(name: string): Promise<void> {
		const found = await this.bed.api.findCredential(name);
		if (found) await this.bed.api.deleteCredential(found);
	}

	/** Opens a workflow with these rows. */
	async openWorkflow(
		rows: readonly Product[],
		parameters: Record<string, unknown> = {},
		onError?: OnError,
	): Promise<void> {
		const wanted = { credentials: this.credentials, parameters, onError };
		await this.editor.openWorkflow(await this.keep(productVideos(rows, wanted)));
	}

	/** Opens its Videogen node. */
	async openCreate(...wanted: Parameters<Studio['openWorkflow']>): Promise<NodePanel> {
		await this.openWorkflow(...wanted);
		return await this.editor.openNode(CREATE);
	}
}
