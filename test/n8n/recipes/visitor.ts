import type { Browser, Page } from 'playwright-core';
import type { EndedExecution, N8nApi, SavedWorkflow } from '../../../tools/n8n/api';
import { PATIENCE_MS, pollUntil } from '../../../tools/n8n/poll';
import type { Credentials } from '../../../tools/n8n/workflows';
import { launchChromium } from '../../../tools/browser/chromium';
import { playVideo } from '../../../tools/browser/nodePanel';
import type { Fixtures } from './fixtures';
import { FORM } from './plays';

/** Where n8n serves the form; the recipe's own. */
const PATH = 'form/videogen-form';

/** What a person fills in. */
interface Filled {
	seconds?: string;
	file?: { name: string; mimeType: string; buffer: Buffer };
}

/** Publishes the recipe. */
export async function publishForm(
	fixtures: Fixtures,
	credentials?: Credentials,
): Promise<SavedWorkflow> {
	const { saved } = await fixtures.imported(FORM, {}, credentials);
	await fixtures.n8n.api.publish(saved);
	return saved;
}

/** Sends the values of a published form without its page, until n8n takes them. */
export async function sendByHand({ baseUrl }: N8nApi, values: readonly string[]): Promise<void> {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
	const url = `${baseUrl}/${PATH}`;
	const isSent = async () => {
		const response = await fetch(url, { method: 'POST', body });
		await response.body?.cancel();
		return response.status === 200 || undefined;
	};
	await pollUntil(isSent, { what: `the form at ${url}` });
}

/** Somebody who opens the form in a browser, fills it in, waits, and reads the last page. */
export class Visitor {
	private page: Page | undefined;
	private form: SavedWorkflow | undefined;

	private constructor(
		private readonly fixtures: Fixtures,
		private readonly browser: Browser,
	) {}

	/** Opens a browser, until the end of the tests. */
	static async open(fixtures: Fixtures): Promise<Visitor> {
		return new Visitor(fixtures, fixtures.n8n.closeAtEnd(await launchChromium()));
	}

	/** Publishes the recipe, until the visitor leaves. */
	async findsForm(credentials?: Credentials): Promise<void> {
		this.form = await publishForm(this.fixtures, credentials);
	}

	/** The form is not published any more. */
	async leave(): Promise<void> {
		if (this.form) await this.fixtures.n8n.api.unpublish(this.form);
		this.form = undefined;
	}

	/** Sends the form, and stays until the last page has this title and n8n is done with it. */
	async send({ seconds = '5', file }: Filled, title: string): Promise<EndedExecution> {
		const { n8n } = this.fixtures;
		await this.page?.close();
		const page = await this.browser.newPage();
		this.page = page;
		page.setDefaultTimeout(PATIENCE_MS);
		const url = `${n8n.api.baseUrl}/${PATH}`;
		// n8n knows the address of a form some time after it was published.
		const isThere = async () => (await page.goto(url))?.status() === 200 || undefined;
		await pollUntil(isThere, { what: `the form at ${url}` });
		await page.getByLabel('Prompt').fill('A fox');
		await page.getByLabel('Seconds').selectOption(seconds);
		if (file) await page.getByLabel('Photo').setInputFiles(file);
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('heading', { name: title }).waitFor();
		const [, executionId = ''] = /form-waiting\/(\d+)/.exec(page.url()) ?? [];
		return await n8n.ended(executionId);
	}

	/** What the page says. */
	async reads(): Promise<string> {
		return await this.opened().locator('body').innerText();
	}

	/** Where the link of the last page leads. */
	async link(): Promise<string> {
		const link = this.opened().getByRole('link', { name: 'Open the video' });
		return (await link.getAttribute('href')) ?? '';
	}

	/** Opens that link. @returns How long the video is that plays then. */
	async plays(): Promise<number> {
		const page = this.opened();
		await page.goto(await this.link());
		return (await page.locator('video').evaluate(playVideo)).durationSeconds;
	}

	private opened(): Page {
		if (this.page === undefined) throw new Error('The visitor has not sent the form');
		return this.page;
	}
}
