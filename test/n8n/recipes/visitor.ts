import type { Browser } from 'playwright-core';
import type { N8nApi } from '../../../tools/n8n/api';
import { PATIENCE_MS, pollUntil } from '../../../tools/n8n/poll';
import type { RecipeSuite } from './fixtures';

/** Where n8n serves the form; the recipe's own. */
const formUrl = ({ baseUrl }: N8nApi): string => `${baseUrl}/form/videogen-form`;

/** Sends the values of a published form without its page, until n8n takes them. */
export async function sendByHand(api: N8nApi, values: readonly string[]): Promise<void> {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
	const isSent = async () => {
		const response = await fetch(formUrl(api), { method: 'POST', body });
		await response.body?.cancel();
		return response.status === 200 || undefined;
	};
	await pollUntil(isSent, { what: 'n8n to take the form' });
}

/**
 * Opens the published form in a browser, fills it in, sends it, and waits until the last page has this
 * title and n8n is done with it.
 */
export async function visitForm(n8n: RecipeSuite, browser: Browser, title: string, photo?: Buffer) {
	const page = await browser.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	// n8n knows the address of a form some time after it was published.
	const isThere = async () => (await page.goto(formUrl(n8n.api)))?.status() === 200 || undefined;
	await pollUntil(isThere, { what: 'the form' });
	await page.getByLabel('Prompt').fill('A fox');
	await page.getByLabel('Seconds').selectOption('10');
	const file = { name: 'image.png', mimeType: 'image/png' };
	if (photo) await page.getByLabel('Photo').setInputFiles({ ...file, buffer: photo });
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('heading', { name: title }).waitFor();
	const [, executionId = ''] = /form-waiting\/(\d+)/.exec(page.url()) ?? [];
	/** Where the link of the last page leads. */
	const link = async (): Promise<string> =>
		(await page.getByRole('link', { name: 'Open the video' }).getAttribute('href')) ?? '';
	return { page, link, execution: await n8n.ended(executionId) };
}
