/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { parseArgs } from 'node:util';
import { startPlayedServices, type PlayedServices } from '../mock-services';
import { folderLink } from '../mock-services/drive';
import type { N8nApi, SavedWorkflow } from '../n8n/api';
import { startBucket } from '../n8n/bucket';
import {
	SHEET_COLUMNS,
	exampleFiles,
	readExample,
	withSettings,
	type FilledIn,
} from '../n8n/examples';
import { startMailbox } from '../n8n/mailbox';
import { startChatModel } from '../n8n/openAi';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import { sampleMp4, samplePng, sampleWav } from '../simulator/sampleFiles';
import {
	DEMO_PERSON,
	ensureCredentials,
	ensureTables,
	ensureWorkflow,
	firstWorkflow,
	oneVideoPerMessage,
	type WantedCredentials,
} from './example';
import { checkPort, runProgram, serveN8n, type Program } from './program';
import { startWatchPage } from './watchPage';

/** Long enough to watch a task being worked on, short enough not to be boring. */
const TASK_DURATION_MS = 6_000;
const BUCKET_CREDENTIAL = 'Simulated bucket';

const FOLDER = '1folderOfTheDemo';
const IMAGES = '1folderOfTheDemoWithImages';
const CHANNEL = '#videos';
const ROWS = [
	{ prompt: 'A paper boat sails across a puddle', title: 'The boat', status: 'open' },
	{ prompt: 'Snow falls on a quiet village [failed]', title: 'The village', status: 'open' },
];

/** What runs on this machine in place of what a person has an account for. */
type Services = Awaited<ReturnType<typeof startServices>>;

/** The ports are this one and the three after it: workflows of an earlier run hold the bucket's. */
async function startServices({ cleanups }: Program, port: number) {
	const kept = <Server extends { close(): Promise<void> }>(server: Server): Server => {
		cleanups.add(async () => await server.close());
		return server;
	};
	for (const one of [port, port + 1, port + 2, port + 3]) await checkPort(one, '--simulator-port');
	const options = { port, taskDurationMs: TASK_DURATION_MS, needsMedia: true };
	const simulator = kept(await startSimulator(options));
	simulator.playWords();
	const bucket = kept(await startBucket(port + 1));
	const mailbox = kept(await startMailbox());
	const services = kept(await startPlayedServices(port + 3));
	const sheets = furnish(services);
	const watchPage = kept(await startWatchPage({ simulator, services, mailbox, sheets }, port + 2));
	const model = kept(await startChatModel(oneVideoPerMessage));
	return { simulator, bucket, mailbox, model, services, sheets, watchPage };
}

/** What a person has in the accounts: folders, a channel, and a sheet for each recipe of sheets. */
function furnish({ drive, sheets, slack }: PlayedServices) {
	for (const folder of [FOLDER, IMAGES]) drive.folders.add(folder);
	const image = { name: 'image.png', mimeType: 'image/png', bytes: samplePng() };
	drive.add({ ...image, parent: IMAGES });
	slack.channels.add(CHANNEL);
	const sheetsByRecipe = Object.entries(SHEET_COLUMNS).map(([file, columns]) => {
		const sheet = sheets.create(`sheet-of-the-demo-for-${file.replace('.json', '')}`, columns);
		sheet.add(...ROWS);
		return [readExample(file).name, sheet] as const;
	});
	return new Map(sheetsByRecipe);
}

/** What the examples ask for in their settings: links of folders and sheets, URLs, a bucket. */
function exampleSettings({ simulator, bucket }: Services): FilledIn {
	const png = { body: samplePng(), contentType: 'image/png' };
	return {
		folder: folderLink(FOLDER),
		images: folderLink(IMAGES),
		'Save to Drive.folderId': folderLink(FOLDER),
		'Ask in Slack.channelId': CHANNEL,
		'Tell Slack.channelId': CHANNEL,
		'Receive Message.userIds': String(DEMO_PERSON),
		imageUrls: simulator.serve('/demo/person.png', png),
		videoUrls: simulator.serve('/demo/scene.mp4', { body: sampleMp4(), contentType: 'video/mp4' }),
		audioUrls: simulator.serve('/demo/voice.wav', { body: sampleWav(), contentType: 'audio/wav' }),
		'Save to Bucket.bucketName': bucket.name,
		bucketUrl: bucket.url,
	};
}

/** Those of all services, and of MCP clients. */
function credentialsFor({ simulator, bucket, mailbox, model, services }: Services) {
	const { googleCredential, slack, telegram } = services;
	const GOOGLE = 'Simulated Google account';
	return {
		videogenApi: ['Videogen simulator', { apiKey: DEFAULT_API_KEY, baseUrl: simulator.baseUrl }],
		openAiApi: ['Simulated chat model', { apiKey: 'not-checked', url: model.baseUrl }],
		httpBearerAuth: ['Secret for MCP clients', { token: 'demo-secret' }],
		s3: [BUCKET_CREDENTIAL, bucket.credential],
		smtp: ['Mail server of the demo', mailbox.credential],
		googleDriveOAuth2Api: [GOOGLE, googleCredential],
		googleSheetsOAuth2Api: [GOOGLE, googleCredential],
		youTubeOAuth2Api: [GOOGLE, googleCredential],
		slackApi: ['Simulated Slack', slack.credential],
		telegramApi: ['Simulated bot', telegram.credential],
	} satisfies WantedCredentials;
}

/** Puts all workflows into n8n; gives the first to look at. */
async function prepare(api: N8nApi, services: Services): Promise<SavedWorkflow> {
	const credentials = await ensureCredentials(api, credentialsFor(services));
	await ensureTables(api);
	const settings = exampleSettings(services);
	for (const file of exampleFiles()) {
		const example = readExample(file);
		const sheet = services.sheets.get(example.name)?.link;
		const filledIn = withSettings(example, { ...settings, ...(sheet && { sheet }) });
		await ensureWorkflow(api, filledIn, credentials);
	}
	const first = firstWorkflow(credentials, services.watchPage.baseUrl);
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
	const { simulator, bucket, watchPage } = services;
	await serveN8n(program, {
		kind: 'demo',
		port: values.port,
		env: services.services.env,
		prepare: async (api) => await prepare(api, services),
		lines: [
			`Watch:    ${watchPage.baseUrl} shows what the simulated provider received: each row under Creates is one create`,
			`Bucket:   ${bucket.url} lists its files; in a node, “${BUCKET_CREDENTIAL}”, “${bucket.name}”`,
			`Image:    ${simulator.baseUrl}/demo/person.png, to copy into a field for an image`,
			`Service:  ${simulator.baseUrl}, with the API key ${DEFAULT_API_KEY}`,
			'Nothing here is paid. The workflow in the editor says what to try, and all recipes are in the list of workflows.',
			'Ctrl-C ends the demo.',
		],
	});
}

void runProgram(demonstrate);
