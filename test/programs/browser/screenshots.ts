import path from 'node:path';
import type { Page } from 'playwright-core';

/** A folder; `npm run screenshots` sets it, and without it no screenshot is taken. */
const FOLDER = process.env.SCREENSHOTS;

/** What the documents show of the tests of the editor; they offer more, which is not kept. */
export const SHOWN = [
	'chat-progress',
	'create-text-video',
	'credential',
	'finished-video',
	'nodes-panel',
];

/** Recorded once, and kept: from an empty prompt to the video that plays. */
export const RECORDED = { firstVideo: 'first-video.gif' };

/** Messages that come and go would be in some screenshots and not in others. */
const WITHOUT_MESSAGES = '.el-notification { display: none }';

/** Keeps what the page shows at this moment for the documents, if they show it. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
	if (FOLDER === undefined || !SHOWN.includes(name)) return;
	// Buttons show themselves where the mouse is.
	await page.mouse.move(0, 0);
	const file = path.join(FOLDER, `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', style: WITHOUT_MESSAGES });
}
