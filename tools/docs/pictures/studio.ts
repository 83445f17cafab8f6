import { launchChromium } from '../../browser/chromium';
import { Editor } from '../../browser/editor';
import type { NodePanel } from '../../browser/nodePanel';
import { startWithCleanups } from '../../n8n/cleanups';
import { startTestbed, WITH_EDITOR } from '../../n8n/testbed';
import { NEWEST } from '../../n8n/versions';
import {
	VIDEOGEN_NODE,
	chainWorkflow,
	ownNode,
	triggerNode,
	videogenNode,
	type NewWorkflow,
	type OnError,
} from '../../n8n/workflows';
import { Camera } from './camera';

/** What somebody who sells things by mail has in a sheet. */
export const PRODUCTS = [
	{
		product: 'Sneaker',
		prompt: 'A white sneaker turns slowly on a wooden table, soft morning light',
	},
	{ product: 'Teapot', prompt: 'Steam rises from a blue teapot, a hand pours a cup of tea' },
	{ product: 'Lamp', prompt: 'A paper lamp is switched on in a dark room, slow zoom in' },
];
export const [SNEAKER = '', TEAPOT = ''] = PRODUCTS.map(({ prompt }) => prompt);
const SHEET = ownNode('Get Products', 'googleSheets', 4.7);
/** Nobody runs it here. */
const SHEET_CREDENTIAL = { id: 'sheets', name: 'Google Sheets' };

/** The newest n8n with the node, a simulated service, and a browser with a camera. */
export type Studio = Awaited<ReturnType<typeof openStudio>>;

/** Starts all of it; the build must be up to date. */
export const openStudio = async () =>
	await startWithCleanups(async (cleanups) => {
		const bed = await startTestbed(NEWEST, WITH_EDITOR);
		cleanups.add(bed.stop);
		const browser = await launchChromium();
		cleanups.add(async () => await browser.close());
		const editor = await Editor.open(browser, bed.api.baseUrl, NEWEST);
		const openWorkflow = async (workflow: NewWorkflow) =>
			await editor.openWorkflow(await bed.api.createWorkflow(workflow));
		const credentials = { videogenApi: bed.credential, googleSheetsOAuth2Api: SHEET_CREDENTIAL };
		/** Start → sheet → Videogen; the rows are pinned. */
		const openProducts = async (
			rows: typeof PRODUCTS,
			parameters: Record<string, unknown> = {},
			onError?: OnError,
		): Promise<void> => {
			const create = { ...videogenNode({ parameters, onError }), parameters };
			const nodes = [triggerNode(), SHEET, create];
			const chain = chainWorkflow({ name: 'Spring campaign', credentials, nodes });
			await openWorkflow({ ...chain, pinData: { [SHEET.name]: rows.map((json) => ({ json })) } });
		};
		/** Opens the Videogen node behind the first row. */
		const openCreate = async (parameters?: Record<string, unknown>): Promise<NodePanel> => {
			await openProducts(PRODUCTS.slice(0, 1), parameters);
			return await editor.openNode(VIDEOGEN_NODE);
		};
		return { bed, editor, camera: new Camera(editor.page), openWorkflow, openProducts, openCreate };
	});
