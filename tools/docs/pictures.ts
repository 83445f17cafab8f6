/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { launchChromium } from '../browser/chromium';
import { Editor, VIEW } from '../browser/editor';
import type { NodePanel } from '../browser/nodePanel';
import { testId } from '../browser/testId';
import { startWithCleanups } from '../n8n/cleanups';
import { exampleFiles, readExample } from '../n8n/examples';
import ensureFreshBuild from '../n8n/freshBuild';
import { ensureN8n } from '../n8n/install';
import { startTestbed, withEditor } from '../n8n/testbed';
import { NEWEST } from '../n8n/versions';
import {
	VIDEOGEN_NODE,
	chainWorkflow,
	ownNode,
	triggerNode,
	videogenNode,
	type NewWorkflow,
	type OnError,
} from '../n8n/workflows';
import { DEFAULT_API_KEY } from '../simulator';

const FOLDER = path.resolve(__dirname, '../../docs/images');

/** Wide workflows are readable on it. */
const WIDE_VIEW = { width: 2400, height: 1400 };
/** Messages that come and go would be in some pictures and not in others. */
const STYLE = '.el-notification, .el-tooltip__popper { display: none !important }';
/** The workflow alone, without what n8n lays around and over it. */
const BARE_CANVAS =
	'html, body { background: white !important } body { visibility: hidden } .vue-flow__transformationpane { visibility: visible }';
const BORDER = { top: 16, bottom: 16, left: 16, right: 16, background: 'white' };
const GIF_WIDTH = 960;
const PALETTE = { palette: true, colours: 128 } as const;
const HOW = { animations: 'disabled', style: STYLE } as const;

/** What somebody who sells things by mail has in a sheet. */
const SNEAKER = 'A white sneaker turns slowly on a wooden table, soft morning light';
const TEAPOT = 'Steam rises from a blue teapot, a hand pours a cup of tea';
const PRODUCTS = [
	{ product: 'Sneaker', prompt: SNEAKER },
	{ product: 'Teapot', prompt: TEAPOT },
	{ product: 'Lamp', prompt: 'A paper lamp is switched on in a dark room, slow zoom in' },
];
const SHEET = ownNode('Get Products', 'googleSheets', 4.7);
/** Nobody runs it here. */
const SHEET_CREDENTIAL = { id: 'sheets', name: 'Google Sheets' };

/** As the README says for a first try. */
const CHEAPEST = { prompt: SNEAKER, duration: 4, quality: '480p' };
const IMAGE_VIDEO = { ...CHEAPEST, operation: 'createImageVideo' };
const REFERENCE_VIDEO = { ...CHEAPEST, operation: 'createReferenceVideo' };
const IMAGE = 'https://example.com/sneaker.png';

/** The newest n8n with the node, a simulated service, and a browser; the build must be up to date. */
type Studio = Awaited<ReturnType<typeof openStudio>>;

const openStudio = async () =>
	await startWithCleanups(async (cleanups) => {
		const bed = await startTestbed(NEWEST, withEditor(NEWEST));
		cleanups.add(bed.stop);
		const browser = await launchChromium();
		cleanups.add(async () => await browser.close());
		const editor = await Editor.open(browser, bed.api.baseUrl, NEWEST);
		const { page } = editor;
		const open = async (workflow: NewWorkflow) =>
			await editor.openWorkflow(await bed.api.createWorkflow(workflow));
		/** Start → sheet → Videogen; the rows are pinned. */
		const openProducts = async (
			rows: typeof PRODUCTS,
			parameters: Record<string, unknown> = {},
			onError?: OnError,
		): Promise<void> => {
			const credentials = { videogenApi: bed.credential, googleSheetsOAuth2Api: SHEET_CREDENTIAL };
			const create = { ...videogenNode({ parameters, onError }), parameters };
			const nodes = [triggerNode(), SHEET, create];
			const chain = chainWorkflow({ name: 'Spring campaign', credentials, nodes });
			await open({ ...chain, pinData: { [SHEET.name]: rows.map((json) => ({ json })) } });
		};
		/** Opens the Videogen node behind the first row. */
		const openCreate = async (parameters?: Record<string, unknown>): Promise<NodePanel> => {
			await openProducts(PRODUCTS.slice(0, 1), parameters);
			return await editor.openNode(VIDEOGEN_NODE);
		};
		/** The whole page, or an element. */
		const picture = async (part: Locator = page.locator('body')): Promise<Sharp> =>
			sharp(await part.screenshot(HOW)).png(PALETTE);
		return { bed, editor, page, open, openProducts, openCreate, picture };
	});

/** A recipe as it is after its import, without anything around it. */
async function recipe({ editor, page, open }: Studio, file: string): Promise<Sharp> {
	await open(readExample(file));
	await page.setViewportSize(WIDE_VIEW);
	await editor.zoomToFit();
	const png = await page.screenshot({ ...HOW, style: `${STYLE} ${BARE_CANVAS}` });
	await page.setViewportSize(VIEW);
	return sharp(await sharp(png).trim().toBuffer())
		.extend(BORDER)
		.png(PALETTE);
}

/** An animation: a prompt is typed, the node waits, and the video plays. */
async function firstVideo({ bed, page, openCreate }: Studio): Promise<Sharp> {
	const pictures: Buffer[] = [];
	const delay: number[] = [];
	const frame = async (showMs: number): Promise<void> => {
		const image = sharp(await page.screenshot(HOW)).resize(GIF_WIDTH);
		pictures.push(await image.png().toBuffer());
		delay.push(showMs);
	};
	// Long enough to be seen.
	bed.sim.planTask({ outcome: 'never', durationMs: 60_000 });
	const node = await openCreate({ ...CHEAPEST, prompt: '' });
	await frame(1_200);
	for (const { index } of SNEAKER.matchAll(/ |$/g)) {
		await node.fill('prompt', SNEAKER.slice(0, index));
		await frame(180);
	}
	await frame(900);
	const running = node.execute();
	await bed.sim.waitForRequest(() => bed.sim.tasks.size > 0);
	await frame(1_500);
	for (const id of bed.sim.tasks.keys()) bed.sim.finish(id);
	await running;
	await frame(2_000);
	await node.playVideo();
	for (const showMs of [400, 400, 400, 400, 2_500]) await frame(showMs);
	const film = sharp(pictures, { join: { animated: true } });
	return film.gif({ delay, loop: 0, colours: PALETTE.colours });
}

/** The dialog of a credential, once the button beside its test's result has its label again. */
async function testedCredential(page: Page): Promise<Locator> {
	const dialog = page.locator(testId('editCredential-modal'));
	await dialog.locator('button:not([aria-busy="true"])').getByText('Retry').waitFor();
	return dialog;
}

/** What is done in n8n until there is something to see, and the picture of it. */
type Scene = (studio: Studio) => Promise<Sharp>;

/** The fields of a node with these parameters. */
const fieldsWith =
	(parameters: Record<string, unknown>): Scene =>
	async ({ openCreate, picture }) => {
		await (await openCreate(parameters)).shows('options');
		return await picture();
	};

/** By file: how each picture of the documents is taken. */
const SCENES: Readonly<Record<string, Scene>> = {
	'nodes-panel.png': async ({ editor, open, picture }) => {
		const nodes = [triggerNode()];
		await open(chainWorkflow({ name: 'Spring campaign', credentials: {}, nodes }));
		const panel = await editor.searchNodes('videogen');
		await panel.getByText(VIDEOGEN_NODE, { exact: true }).first().waitFor();
		return await picture();
	},

	'finished-video.png': async ({ openCreate, picture }) => {
		const node = await openCreate(CHEAPEST);
		await node.execute();
		await node.playVideo();
		return await picture();
	},

	'error-branch.png': async ({ bed, editor, openProducts, picture }) => {
		const error = { code: 'content_policy_violation', message: 'The prompt was refused' };
		bed.sim.planTask({ outcome: 'failed', error, prompt: TEAPOT });
		const parameters = { ...CHEAPEST, prompt: '={{ $json.prompt }}' };
		await openProducts(PRODUCTS, parameters, 'continueErrorOutput');
		await editor.execute();
		const node = await editor.openNode(VIDEOGEN_NODE);
		await node.openBranch('Error Branch');
		await node.outputShows(['moderation']);
		return await picture();
	},

	'first-video.gif': firstVideo,

	'create-text-video.png': fieldsWith(CHEAPEST),
	'create-image-video.png': fieldsWith({ ...IMAGE_VIDEO, firstFrameUrl: IMAGE }),
	'create-reference-video.png': fieldsWith({ ...REFERENCE_VIDEO, imageUrls: IMAGE }),
	'get-task.png': fieldsWith({ operation: 'getTask', taskId: 'task_8fk2' }),

	...Object.fromEntries(
		exampleFiles().map((file): [string, Scene] => [
			`recipes/${path.basename(file, '.json')}.png`,
			async (studio) => await recipe(studio, file),
		]),
	),

	'credential-practice.png': async ({ editor, page, openCreate, picture }) => {
		await openCreate();
		const dialog = await editor.newCredential();
		await dialog.choose('environment', 'Practice');
		await dialog.rename('Practice');
		await dialog.saveWorking();
		const tested = await testedCredential(page);
		const image = await picture(tested);
		await page.keyboard.press('Escape');
		await tested.waitFor({ state: 'detached' });
		return image;
	},

	// The last: what is not saved in its dialog keeps it open.
	'credential.png': async ({ bed, editor, page, openCreate, picture }) => {
		await openCreate();
		const dialog = await editor.newCredential();
		await dialog.fill('apiKey', DEFAULT_API_KEY);
		await dialog.fill('baseUrl', bed.sim.baseUrl);
		await dialog.saveWorking();
		// What was tested lies on this machine.
		await dialog.fill('baseUrl', 'https://api.evolink.ai');
		await dialog.fill('modelFamily', 'seedance-2.5');
		return await picture(await testedCredential(page));
	},
};

/** Takes all pictures of the documents anew, or those whose names begin so. */
export async function takePictures(wanted: readonly string[]): Promise<void> {
	ensureFreshBuild();
	await ensureN8n(NEWEST);
	const studio = await openStudio();
	try {
		for (const [file, scene] of Object.entries(SCENES)) {
			if (wanted.length > 0 && !wanted.some((one) => file.startsWith(one))) continue;
			process.stdout.write(`${file}\n`);
			studio.bed.sim.reset();
			const image = await scene(studio);
			await image.toFile(path.join(FOLDER, file));
		}
	} finally {
		await studio.stop();
	}
}
