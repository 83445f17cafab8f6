/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import path from 'node:path';
import { VIEW } from '../../browser/editor';
import { testId } from '../../browser/testId';
import { exampleFiles, readExample } from '../../n8n/examples';
import { VIDEOGEN_NODE, chainWorkflow, triggerNode } from '../../n8n/workflows';
import { DEFAULT_API_KEY } from '../../simulator';
import { WIDE_VIEW } from './camera';
import { PRODUCTS, SNEAKER, TEAPOT, type Studio } from './studio';

/** What is done in n8n until there is something to see. */
type Scene = (studio: Studio) => Promise<void>;

const FAILED = {
	outcome: 'failed',
	error: { code: 'content_policy_violation', message: 'The prompt was refused' },
} as const;
/** Long enough to be seen. */
const UNFINISHED = { outcome: 'never', durationMs: 60_000 } as const;

/** As the README says for a first try. */
const CHEAPEST = { duration: 4, quality: '480p' };

const dialogOf = ({ editor }: Studio) => editor.page.locator(testId('editCredential-modal'));

/** By name: what each picture of the documents shows. */
export const SCENES: Readonly<Record<string, Scene>> = {
	'nodes-panel': async (studio) => {
		const { editor, camera } = studio;
		const nodes = [triggerNode()];
		const chain = chainWorkflow({ name: 'Spring campaign', credentials: {}, nodes });
		await studio.openWorkflow(chain);
		const panel = await editor.searchNodes('video');
		await panel.getByText(VIDEOGEN_NODE, { exact: true }).first().waitFor();
		await camera.take('nodes-panel', { heightPx: 640 });
	},

	credential: async (studio) => {
		await studio.openCreate();
		const dialog = await studio.editor.newCredential();
		await dialog.fill('apiKey', DEFAULT_API_KEY);
		await dialog.fill('baseUrl', studio.bed.sim.baseUrl);
		await dialog.saveWorking();
		// What was tested lies on this machine.
		await dialog.fill('baseUrl', 'https://api.evolink.ai');
		await dialog.fill('modelFamily', 'seedance-2.5');
		await studio.camera.take('credential', { part: dialogOf(studio) });
		// The next one gets its name.
		const saved = await studio.bed.api.findCredential('Videogen Tasks account');
		if (saved) await studio.bed.api.deleteCredential(saved);
	},

	'credential-practice': async (studio) => {
		await studio.openCreate();
		const dialog = await studio.editor.newCredential();
		await dialog.choose('environment', 'Practice');
		await dialog.rename('Practice');
		await dialog.saveWorking();
		await studio.camera.take('credential-practice', { part: dialogOf(studio) });
	},

	'create-text-video': async (studio) =>
		await takePanel(studio, 'create-text-video', { prompt: SNEAKER, ...CHEAPEST }),

	'create-image-video': async (studio) => {
		const firstFrameUrl = 'https://example.com/sneaker.png';
		const values = { operation: 'createImageVideo', firstFrameUrl };
		await takePanel(studio, 'create-image-video', { prompt: SNEAKER, ...CHEAPEST, ...values });
	},

	'create-reference-video': async (studio) => {
		const imageUrls = 'https://example.com/sneaker.png';
		const values = { operation: 'createReferenceVideo', imageUrls };
		await takePanel(studio, 'create-reference-video', { prompt: SNEAKER, ...CHEAPEST, ...values });
	},

	'get-task': async (studio) =>
		await takePanel(studio, 'get-task', { operation: 'getTask', taskId: 'task_8fk2' }),

	'finished-video': async (studio) => {
		const node = await studio.openCreate({ prompt: SNEAKER, ...CHEAPEST });
		await node.execute();
		await node.playVideo();
		await studio.camera.take('finished-video');
	},

	'error-branch': async (studio) => {
		studio.bed.sim.planTask({ ...FAILED, prompt: TEAPOT });
		const prompt = '={{ $json.prompt }}';
		await studio.openProducts(PRODUCTS, { prompt, ...CHEAPEST }, 'continueErrorOutput');
		await studio.editor.execute();
		const node = await studio.editor.openNode(VIDEOGEN_NODE);
		await node.openBranch('Error Branch');
		await node.outputShows(['moderation']);
		await studio.camera.take('error-branch');
	},

	'first-video': async (studio) => {
		const { bed, camera } = studio;
		bed.sim.planTask(UNFINISHED);
		const node = await studio.openCreate(CHEAPEST);
		await camera.frame(1_200);
		for (const text of typed(SNEAKER)) {
			await node.fill('prompt', text);
			await camera.frame(180);
		}
		await camera.frame(900);
		const running = node.execute();
		await bed.sim.waitForRequest(() => bed.sim.tasks.size > 0);
		await camera.frame(1_500);
		for (const id of bed.sim.tasks.keys()) bed.sim.finish(id);
		await running;
		await camera.frame(2_000);
		await node.playVideo();
		for (let count = 0; count < 6; count += 1) await camera.frame(400);
		await camera.frame(2_500);
		await camera.animate('first-video');
	},

	...Object.fromEntries(
		exampleFiles().map((file): [string, Scene] => {
			const name = `recipes/${path.basename(file, '.json')}`;
			return [name, async (studio) => await takeCanvas(studio, name, file)];
		}),
	),
};

/** The fields of an operation. */
async function takePanel(studio: Studio, name: string, values: Record<string, unknown>) {
	const node = await studio.openCreate(values);
	await node.shows('options');
	await studio.camera.take(name);
}

/** The beginnings of a text as it is typed, some letters at a time. */
const typed = (text: string): string[] =>
	Array.from({ length: Math.ceil(text.length / 6) }, (_, index) => text.slice(0, (index + 1) * 6));

/** A recipe as it is after its import. */
async function takeCanvas(studio: Studio, name: string, file: string): Promise<void> {
	const { editor, camera } = studio;
	await studio.openWorkflow(readExample(file));
	await editor.page.setViewportSize(WIDE_VIEW);
	await editor.zoomToFit();
	await camera.takeCanvas(name);
	await editor.page.setViewportSize(VIEW);
}
