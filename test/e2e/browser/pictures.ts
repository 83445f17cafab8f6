import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** A folder; `npm run screenshots` sets it, and without it no picture is taken. */
const FOLDER = process.env.SCREENSHOTS;

/** What the documents show; a page may offer others, which are not kept. */
export const SHOWN = ['create-text-video', 'credential', 'finished-video', 'nodes-panel'];

/** Messages that come and go would be in some pictures and not in others. */
const WITHOUT_MESSAGES = '.el-notification { display: none }';

/** Keeps what the page shows at this moment for the documents, if they show it. */
export async function picture(page: Page, name: string): Promise<void> {
	if (FOLDER === undefined || !SHOWN.includes(name)) return;
	await mkdir(FOLDER, { recursive: true });
	// Buttons show themselves where the mouse is.
	await page.mouse.move(0, 0);
	await page.screenshot({
		path: path.join(FOLDER, `${name}.png`),
		animations: 'disabled',
		style: WITHOUT_MESSAGES,
	});
}
