import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** A folder; `npm run screenshots` sets it, and without it no picture is taken. */
const FOLDER = process.env.SCREENSHOTS;

/** Messages that come and go would be in some pictures and not in others. */
const WITHOUT_MESSAGES = '.el-notification { display: none }';

/** Keeps what the page shows at this moment as a picture for the README. */
export async function picture(page: Page, name: string): Promise<void> {
	if (FOLDER === undefined) return;
	await mkdir(FOLDER, { recursive: true });
	// Buttons show themselves where the mouse is.
	await page.mouse.move(0, 0);
	await page.screenshot({
		path: path.join(FOLDER, `${name}.png`),
		animations: 'disabled',
		style: WITHOUT_MESSAGES,
	});
}
