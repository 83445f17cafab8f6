import type { Browser, Page } from 'playwright-core';
import type { Execution, SavedWorkflow } from '../../n8n/api';
import { prepared, readExample } from '../../n8n/examples';
import { pollUntil } from '../../n8n/poll';
import { sampleMp4, samplePng, sha256Of } from '../../support/sampleFiles';
import type { Suite } from '../beds/suite';
import { launchChromium } from '../browser/chromium';
import { play } from '../browser/nodePanel';
import { BROKEN, status } from '../vocabulary';

export const FORM = 'form-to-video.json';

/** Where n8n serves the form; the example's own. */
const PATH = 'form/videogen-form';
const PAGE_TIMEOUT_MS = 90_000;
const READY = 'Your video is ready';
const NO_VIDEO = 'There is no video to show';

/** What a person fills in, in the order of the form. */
interface Filled {
	prompt: string;
	seconds: string;
	image?: Buffer;
}

/** The form in a real browser: open, fill in, wait, read the last page, open the video. */
export function testFormExample(n8n: Suite): void {
	describe(`the form of ${FORM}`, () => {
		let saved: SavedWorkflow;
		let browser: Browser;
		let page: Page;
		beforeAll(async () => {
			browser = await launchChromium();
			const credentials = { videogenApi: n8n.bed.credential };
			saved = await n8n.api.createWorkflow(prepared(readExample(FORM), { credentials }));
			await n8n.api.publish(saved);
		});
		beforeEach(async () => {
			page = await browser.newPage();
			page.setDefaultTimeout(PAGE_TIMEOUT_MS);
		});
		afterEach(async () => await page.close());
		afterAll(async () => {
			await browser?.close();
			await n8n.api.unpublish(saved);
		});

		/** Sends the form, and stays until the last page has this title and n8n is done with it. */
		const send = async ({ prompt, seconds, image }: Filled, title: string): Promise<Execution> => {
			await openForm(page, `${n8n.api.baseUrl}/${PATH}`);
			await page.getByText('Say what the video should show').waitFor();
			await page.getByLabel('Prompt').fill(prompt);
			await page.getByLabel('Seconds').selectOption(seconds);
			const file = image && { name: 'image.png', mimeType: 'image/png', buffer: image };
			if (file) await page.getByLabel('Image').setInputFiles(file);
			await page.getByRole('button', { name: 'Submit' }).click();
			await page.getByRole('heading', { name: title }).waitFor();
			const [, executionId = ''] = /form-waiting\/(\d+)/.exec(page.url()) ?? [];
			return await n8n.ended(executionId);
		};

		/** What the page says below its title. */
		const said = async (): Promise<string> => await page.locator('body').innerText();

		/** The link of the last page plays: in a new tab, n8n's sandbox for pages would not let it. */
		const expectVideo = async () => {
			await page.getByRole('link', { name: 'Open the video' }).click();
			await page.waitForURL(n8n.onlyTask().results()[0] ?? '');
			const { durationSeconds } = await page.locator('video').evaluate(play);
			expect(durationSeconds).toBeGreaterThan(1);
		};

		it('gives a video of a text', async () => {
			const execution = await send({ prompt: 'A fox', seconds: '10' }, READY);

			expect(n8n.createdBodies()).toEqual([
				{
					model: 'videogen-2.5-text-to-video',
					prompt: 'A fox',
					duration: 10,
					quality: '720p',
				},
			]);
			await expectVideo();
			expect(await n8n.fileOf(execution.output('Create Text Video')[0])).toEqual(sampleMp4());
		});

		n8n.itOnNewest('gives a video of an image', async () => {
			const image = samplePng();
			const execution = await send({ prompt: 'A fox', seconds: '5', image }, READY);

			expect(n8n.createdBodies()).toMatchObject([
				{ model: 'videogen-2.5-image-to-video', prompt: 'A fox', duration: 5 },
			]);
			await n8n.sim.waitForMedia(1);
			expect(n8n.sim.mediaOf(n8n.onlyTask().id)).toMatchObject([{ sha256: sha256Of(image) }]);
			await expectVideo();
			expect(await n8n.fileOf(execution.output('Create Image Video')[0])).toEqual(sampleMp4());
		});

		n8n.itOnNewest('says to a visitor why there is no video, and what helps', async () => {
			n8n.sim.planTask({ outcome: 'failed', error: BROKEN });
			await send({ prompt: 'A fox', seconds: '5' }, NO_VIDEO);

			expect(await said()).toContain(BROKEN.message);
			expect(await said()).toContain('in other words');
			expect(await said()).not.toContain('Options');
			expect(await said()).not.toContain('Please do not send the form again');
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		n8n.itOnNewest('says nothing to a visitor about the account', async () => {
			n8n.sim.script({ on: 'create', fault: status(402) });
			await send({ prompt: 'A fox', seconds: '5', image: samplePng() }, NO_VIDEO);

			expect(await said()).toContain('Please try again later');
			expect(await said()).not.toContain('402');
			expect(await said()).not.toContain('Please do not send the form again');
			expect(n8n.tasks()).toEqual([]);
		});
	});
}

/** n8n knows the address of a form some time after it was published. */
async function openForm(page: Page, url: string): Promise<void> {
	const isThere = async () => (await page.goto(url))?.status() === 200 || undefined;
	await pollUntil(isThere, { what: `the form at ${url}`, timeoutMs: PAGE_TIMEOUT_MS });
}
