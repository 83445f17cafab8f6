import path from 'node:path';
import type { Browser } from 'playwright-core';
import { NEWEST } from '../realN8n/versions';
import { VIDEOGEN_NODE, videogenWorkflow } from '../realN8n/workflows';
import { DEFAULT_API_KEY } from '../simulator';
import { startTestbed, type Testbed } from '../realN8n/testbed';
import { launchChromium } from '../browser/chromium';
import { Editor } from '../browser/editor';
import { RECORDED, saveImage } from '../browser/screenshots';
import { Recording } from '../browser/recording';

const FOLDER = path.join(__dirname, '../../..', 'docs', 'images');
const PROMPT = 'A red fox runs through fresh snow at sunrise, slow motion';
/** As the node is when it was just added. */
const AS_NEW = { simplify: true, downloadResults: true };
const ITEMS = [{ topic: 'winter' }];
const TASK_DURATION_MS = 4_000;
/** Just large enough for all that is clicked, so that nothing scrolls. */
const VIEW = { width: 1400, height: 1120 };
const TYPING_DELAY_MS = 45;
/** How long a person looks before the next step. */
const LOOK_MS = 800;
const PLAYED_MS = 3_500;
const GIF = { width: 1000, framesPerSecond: 10, longestStillSeconds: 1.5, lastSeconds: 2 };

/** `npm run screenshots`: what the tests of the editor do not show, on a real n8n with the simulator. */
async function main(): Promise<void> {
	const bed = await startTestbed(NEWEST);
	const browser = await launchChromium().catch(async (error: unknown) => {
		await bed.stop();
		throw error;
	});
	try {
		await takeCredential(bed, browser);
		await recordFirstVideo(bed, browser);
	} finally {
		await browser.close();
		await bed.stop();
	}
}

async function openNode({ api, credential }: Testbed, browser: Browser, name: string) {
	const editor = await Editor.open(browser, api.baseUrl, NEWEST);
	await editor.page.setViewportSize(VIEW);
	await editor.openWorkflow(
		await api.createWorkflow(
			videogenWorkflow({ name, credential, parameters: AS_NEW, items: ITEMS }),
		),
	);
	return { editor, node: await editor.openNode(VIDEOGEN_NODE) };
}

/** A new credential that works. */
async function takeCredential(bed: Testbed, browser: Browser): Promise<void> {
	const { editor } = await openNode(bed, browser, 'Videos for the shop');
	const dialog = await editor.newCredential();
	await dialog.fill('apiKey', DEFAULT_API_KEY);
	await dialog.fill('baseUrl', bed.sim.baseUrl);
	await dialog.saveWorking();
	await editor.page.waitForTimeout(LOOK_MS);
	await saveImage(editor.page, path.join(FOLDER, RECORDED.credential));
	await editor.page.close();
}

/** From an empty prompt to the video that plays. */
async function recordFirstVideo(bed: Testbed, browser: Browser): Promise<void> {
	bed.sim.planTask({ durationMs: TASK_DURATION_MS });
	const { editor, node } = await openNode(bed, browser, 'My first video');
	const look = async () => await editor.page.waitForTimeout(LOOK_MS);
	const recording = await Recording.start(editor.page);
	await look();
	await node.type('prompt', PROMPT, TYPING_DELAY_MS);
	await look();
	await node.execute();
	await look();
	await node.playVideo();
	await editor.page.waitForTimeout(PLAYED_MS);
	await recording.writeGif(path.join(FOLDER, RECORDED.firstVideo), GIF);
	await editor.page.close();
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
