import { z } from 'zod';
import type { Execution, SavedWorkflow } from '../../n8n/api';
import { prepared, readExample } from '../../n8n/examples';
import { pollUntil } from '../../n8n/poll';
import { sampleMp4, samplePng, sha256Of } from '../../support/sampleFiles';
import type { Suite } from '../beds/suite';
import { BROKEN, status } from '../vocabulary';

export const FORM = 'form-to-video.json';

/** Where n8n serves the form; the example's own. */
const PATH = 'form/videogen-form';
const PAGE_TIMEOUT_MS = 90_000;

/** What a person fills in, in the order of the form. */
interface Filled {
	prompt: string;
	seconds: string;
	image?: Buffer;
}

/** The last page, as it is when the person sees it. */
interface LastPage {
	html: string;
	execution: Execution;
}

/** The form as a person's browser uses it: open, fill in, wait, read the last page. */
export function testFormExample(n8n: Suite): void {
	describe(`the form of ${FORM}`, () => {
		let saved: SavedWorkflow;
		beforeAll(async () => {
			const credentials = { videogenApi: n8n.bed.credential };
			saved = await n8n.api.createWorkflow(prepared(readExample(FORM), { credentials }));
			await n8n.api.publish(saved);
		});
		afterAll(async () => await n8n.api.unpublish(saved));

		/** Sends the form and stays until the last page is there. */
		const send = async (filled: Filled): Promise<LastPage> => {
			const form = `${n8n.api.baseUrl}/${PATH}`;
			expect(await openedForm(form)).toContain('Say what the video should show');
			const answer = await fetch(form, { method: 'POST', body: bodyOf(filled) });
			const { formWaitingUrl } = z
				.object({ formWaitingUrl: z.string() })
				.parse(await answer.json());
			await untilPageIsThere(formWaitingUrl);
			const html = await (await fetch(formWaitingUrl)).text();
			// What the page's own script does.
			await fetch(formWaitingUrl, { method: 'POST' });
			const [executionId] = await n8n.api.executionsOf(saved);
			return { html, execution: await n8n.ended(executionId ?? '') };
		};

		it('gives a video of a text', async () => {
			const { html, execution } = await send({ prompt: 'A fox', seconds: '10' });

			expect(n8n.createdBodies()).toEqual([
				{
					model: 'videogen-2.5-text-to-video',
					prompt: 'A fox',
					duration: 10,
					quality: '720p',
				},
			]);
			expect(html).toContain('Your video is ready');
			expect(linksOf(html)).toContain(n8n.onlyTask().results()[0]);
			expect(await n8n.fileOf(execution.output('Create Text Video')[0])).toEqual(sampleMp4());
		});

		it('gives a video of a picture', async () => {
			const image = samplePng();
			const { html, execution } = await send({ prompt: 'A fox', seconds: '5', image });

			expect(n8n.createdBodies()).toMatchObject([
				{ model: 'videogen-2.5-image-to-video', prompt: 'A fox', duration: 5 },
			]);
			await n8n.sim.waitForMedia(1);
			expect(n8n.sim.mediaOf(n8n.onlyTask().id)).toMatchObject([{ sha256: sha256Of(image) }]);
			expect(linksOf(html)).toContain(n8n.onlyTask().results()[0]);
			expect(await n8n.fileOf(execution.output('Create Image Video')[0])).toEqual(sampleMp4());
		});

		it('says why a task failed, and which one', async () => {
			n8n.sim.planTask({ outcome: 'failed', error: BROKEN });
			const { html } = await send({ prompt: 'A fox', seconds: '5' });

			expect(html).toContain('There is no video to show');
			expect(html).toContain(BROKEN.message);
			expect(html).toContain(n8n.onlyTask().id);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('says that the service refused', async () => {
			n8n.sim.script({ on: 'create', fault: status(402) });
			const { html } = await send({ prompt: 'A fox', seconds: '5', image: samplePng() });

			expect(html).toContain('There is no video to show');
			expect(html).toContain('(402)');
			expect(html).not.toContain('Please do not send the form again');
			expect(n8n.tasks()).toEqual([]);
		});
	});
}

/** n8n knows the address of a form some time after it was published. */
async function openedForm(url: string): Promise<string> {
	const opened = async () => {
		const page = await fetch(url);
		return page.status === 200 ? await page.text() : undefined;
	};
	return await pollUntil(opened, { what: `the form at ${url}`, timeoutMs: PAGE_TIMEOUT_MS });
}

function bodyOf({ prompt, seconds, image }: Filled): FormData {
	const body = new FormData();
	body.append('field-0', prompt);
	body.append('field-1', seconds);
	if (image) body.append('field-2', new Blob([image], { type: 'image/png' }), 'picture.png');
	return body;
}

/** Asks as the page does. */
async function untilPageIsThere(formWaitingUrl: string): Promise<void> {
	const url = new URL(formWaitingUrl);
	url.pathname += '/n8n-execution-status';
	const isThere = async () =>
		(await (await fetch(url)).text()).trim() === 'form-waiting' || undefined;
	await pollUntil(isThere, { what: 'the last page of the form', timeoutMs: PAGE_TIMEOUT_MS });
}

const linksOf = (html: string): string[] =>
	[...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
