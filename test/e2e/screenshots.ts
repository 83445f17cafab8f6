import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { SavedWorkflow } from '../n8n/api';
import { OLDEST } from '../n8n/recipes';
import { VIDEOGEN_NODE, videogenWorkflow } from '../n8n/workflows';
import type { Testbed } from './harness';
import { OWNER, startTestbed } from './harness';

/**
 * Makes the pictures of the README from a real n8n in a real browser: `npm run screenshots`.
 * Needs a Chromium; Debian's is at the path below.
 */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FOLDER = path.join(__dirname, '..', '..', 'docs', 'images');
const VIEW = { width: 1440, height: 1000 };

interface Picture {
	file: string;
	parameters: Record<string, unknown>;
	/** Runs the node first, so that its output or error is in the picture. */
	run?: boolean;
}

const PICTURES: Picture[] = [
	{
		file: 'create-text-video',
		parameters: { operation: 'createTextVideo', prompt: 'A red fox runs through fresh snow' },
		run: true,
	},
	{
		file: 'create-image-video',
		parameters: {
			operation: 'createImageVideo',
			prompt: 'The camera moves slowly closer',
			firstFrameUrl: 'https://example.com/first.png',
			options: { contentFilter: false },
		},
	},
	{
		file: 'create-reference-video',
		parameters: {
			operation: 'createReferenceVideo',
			prompt: 'The person walks through the scene',
			imageUrls: 'https://example.com/person.png',
			waitForCompletion: false,
		},
	},
	{
		file: 'get-task',
		parameters: { operation: 'getTask', taskId: 'task_000000000000000000000000' },
		run: true,
	},
];

async function logIn(page: Page, baseUrl: string): Promise<void> {
	await page.goto(`${baseUrl}/signin`);
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.locator('[data-test-id=form-submit-button]').click();
	await page.waitForURL(/\/(home|workflow)/);
}

async function openNode(page: Page, baseUrl: string, workflow: SavedWorkflow): Promise<void> {
	await page.goto(`${baseUrl}/workflow/${workflow.id}`);
	const node = page.locator(`[data-test-id=canvas-node][data-node-name=${VIDEOGEN_NODE}]`);
	await node.dblclick();
	await page.locator('[data-test-id=node-parameters]').first().waitFor();
}

async function runNode(page: Page): Promise<void> {
	await page.locator('[data-test-id=node-execute-button]').first().click();
	const output = page.locator('[data-test-id=output-panel]');
	await output.getByText('1 item').waitFor();
	const json = output.getByText('JSON', { exact: true });
	if (await json.isVisible()) await json.click();
	await page.waitForLoadState('networkidle');
}

/** A person looks for the node by its name; n8n hides nodes whose codex it does not like. */
async function findInNodesPanel(page: Page, { api, credential }: Testbed): Promise<void> {
	const workflow = await api.createWorkflow(
		videogenWorkflow({ name: 'nodes panel', credential, parameters: { prompt: 'A red fox' } }),
	);
	await page.goto(`${api.baseUrl}/workflow/${workflow.id}`);
	await page.locator('[data-test-id=canvas-node]').first().waitFor();
	await page.locator('[data-test-id=node-creator-plus-button]').click();
	const panel = page.locator('[data-test-id=node-creator]');
	await panel.getByRole('textbox').fill('text to video');
	await panel.getByText('Videogen', { exact: true }).waitFor();
	await page.screenshot({ path: path.join(FOLDER, 'nodes-panel.png') });
	console.log('nodes-panel.png');
}

async function takePicture(page: Page, testbed: Testbed, picture: Picture): Promise<void> {
	const { api, credential } = testbed;
	const { file, parameters, run } = picture;
	const workflow = await api.createWorkflow(
		videogenWorkflow({ name: file, credential, parameters, items: [{ topic: 'winter' }] }),
	);
	await openNode(page, api.baseUrl, workflow);
	if (run) await runNode(page);
	await page.screenshot({ path: path.join(FOLDER, `${file}.png`) });
	console.log(`${file}.png`);
}

async function main(): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	const testbed = await startTestbed(OLDEST);
	const browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
	});
	try {
		const page = await browser.newPage({ viewport: VIEW });
		await logIn(page, testbed.api.baseUrl);
		await findInNodesPanel(page, testbed);
		for (const picture of PICTURES) await takePicture(page, testbed, picture);
	} finally {
		await browser.close();
		await testbed.stop();
	}
}

void main();
