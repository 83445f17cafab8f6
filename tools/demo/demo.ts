/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { parseArgs } from 'node:util';
import { IMAGES_FOLDER, startPlayedServices, type PlayedServices } from '../mock-services';
import { recipeSettings } from '../mock-services/settings';
import type { N8nApi, SavedWorkflow } from '../n8n/api';
import { SHEET_COLUMNS, exampleFiles, readExample, withSettings } from '../n8n/examples';
import { startChatModel } from '../n8n/openAi';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import { samplePng } from '../simulator/sampleFiles';
import {
	ensureCredentials,
	ensureTables,
	ensureWorkflow,
	firstWorkflow,
	oneVideoPerMessage,
} from './example';
import { checkPort, runProgram, serveN8n, type Program } from './program';
import { startWatchPage } from './watchPage';

/** Long enough to watch a task being worked on, short enough not to be boring. */
const TASK_DURATION_MS = 6_000;

const ROWS = [
	{ prompt: 'A paper boat sails across a puddle', title: 'The boat', status: 'open' },
	{ prompt: 'Snow falls on a quiet village [failed]', title: 'The village', status: 'open' },
];

/** What runs on this machine in place of what a person has an account for. */
type Services = Awaited<ReturnType<typeof startServices>>;

/** The ports are this one and the three after it: workflows of an earlier run hold the bucket's. */
async function startServices({ cleanups }: Program, port: number) {
	for (const one of [port, port + 1, port + 2, port + 3]) await checkPort(one, '--simulator-port');
	const options = { port, taskDurationMs: TASK_DURATION_MS, needsMedia: true };
	const simulator = await startSimulator(options);
	simulator.playWords();
	const services = await startPlayedServices({ bucket: port + 1, proxy: port + 3 });
	// They keep a file; the other servers end with the process.
	cleanups.add(services.close);
	const sheets = furnish(services);
	const watchPage = await startWatchPage({ simulator, services, sheets }, port + 2);
	const model = await startChatModel(oneVideoPerMessage);
	return { simulator, model, services, sheets, watchPage };
}

/** An image to make a video of, and a sheet for each recipe of sheets. */
function furnish({ drive, sheets }: PlayedServices) {
	const image = { name: 'image.png', mimeType: 'image/png', bytes: samplePng() };
	drive.add({ ...image, parent: IMAGES_FOLDER });
	const sheetsByRecipe = Object.entries(SHEET_COLUMNS).map(([file, columns]) => {
		const id = `sheet-of-the-demo-for-${file.replace('.json', '')}`;
		return [readExample(file).name, sheets.create(id, columns, ROWS)] as const;
	});
	return new Map(sheetsByRecipe);
}

/** Puts all workflows into n8n; gives the first to look at. */
async function prepare(
	api: N8nApi,
	{ simulator, model, services, sheets, watchPage }: Services,
): Promise<SavedWorkflow> {
	const credentials = await ensureCredentials(api, {
		...services.credentials,
		videogenApi: { apiKey: DEFAULT_API_KEY, baseUrl: simulator.baseUrl },
		openAiApi: { apiKey: 'not-checked', url: model.baseUrl },
	});
	await ensureTables(api);
	const settings = recipeSettings(services.bucket, simulator);
	for (const file of exampleFiles()) {
		const example = readExample(file);
		const sheet = sheets.get(example.name)?.link;
		const filledIn = withSettings(example, { ...settings, ...(sheet && { sheet }) });
		await ensureWorkflow(api, filledIn, credentials);
	}
	const first = firstWorkflow(credentials, watchPage.baseUrl);
	return await ensureWorkflow(api, first, credentials);
}

/** `npm run demo`: a real n8n with the node and all examples, and all that they need. */
async function demonstrate(program: Program): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'simulator-port': { type: 'string', default: '4010' },
		},
	});
	const services = await startServices(program, Number(values['simulator-port']));
	const { simulator, watchPage } = services;
	const { bucket, env } = services.services;
	await serveN8n(program, {
		kind: 'demo',
		port: values.port,
		env,
		prepare: async (api) => await prepare(api, services),
		lines: [
			`Watch:    ${watchPage.baseUrl} shows what the simulated provider received: each row under Creates is one create`,
			`Bucket:   ${bucket.url} lists its files; in a node, “s3”, “${bucket.name}”`,
			`Image:    ${simulator.baseUrl}/coat.png, to copy into a field for an image`,
			`Service:  ${simulator.baseUrl}, with the API key ${DEFAULT_API_KEY}`,
			'Nothing here is paid. The workflow in the editor says what to try, and all recipes are in the list of workflows.',
			'Ctrl-C ends the demo.',
		],
	});
}

void runProgram(demonstrate);
