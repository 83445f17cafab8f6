import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { N8nApi } from '../realN8n/api';
import { startBucket, type Bucket } from '../realN8n/bucket';
import type { Host } from '../realN8n/hosts';
import { startMailbox, type Mailbox } from '../realN8n/mailbox';
import { startChatModel } from '../realN8n/openAi';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../simulator';
import ensureFreshBuild from '../support/freshBuild';
import { sampleMp4, samplePng, sampleWav } from '../support/sampleFiles';
import {
	ensureCredential,
	ensureExamples,
	ensureTables,
	ensureWorkflow,
	logIn,
	oneVideoPerMessage,
} from './example';
import { startMailPage } from './mailPage';
import {
	DEMO_FOLDER,
	DEMO_LOGIN,
	checkPort,
	failOnExit,
	runProgram,
	say,
	startDemo,
	type Program,
} from './program';

/** The only folder in which the examples may read and write files. */
const FILES_FOLDER = path.join(DEMO_FOLDER, 'files');
/** Long enough to watch a task being worked on, short enough not to be boring. */
const TASK_DURATION_MS = 6_000;
const BUCKET_CREDENTIAL = 'Simulated bucket';

const NEWS = Buffer.from(
	`<rss version="2.0"><channel><title>News</title>
<item><title>Cherry blossom begins</title><link>https://e.com/0</link></item>
<item><title>A tram for the old town</title><link>https://e.com/1</link></item>
</channel></rss>`,
);

/** What runs on this machine in place of what a person has an account for. */
interface Services {
	simulator: Simulator;
	bucket: Bucket;
	mailbox: Mailbox;
	model: Host;
	/** Where a person reads the mails. */
	mailPageUrl: string;
}

/** The ports are this one and the two after it: workflows of an earlier run hold the bucket's. */
async function startServices({ cleanups }: Program, port: number): Promise<Services> {
	for (const one of [port, port + 1, port + 2]) {
		await checkPort(one, 'the simulated services', '--simulator-port');
	}
	const options = { port, taskDurationMs: TASK_DURATION_MS, needsMedia: true };
	const simulator = await startSimulator(options);
	cleanups.add(simulator.close);
	simulator.playWords();
	const bucket = await startBucket(port + 1);
	cleanups.add(bucket.close);
	const mailbox = await startMailbox();
	cleanups.add(mailbox.close);
	const mailPage = await startMailPage(mailbox, port + 2);
	cleanups.add(mailPage.close);
	const model = await startChatModel(oneVideoPerMessage);
	cleanups.add(model.close);
	return { simulator, bucket, mailbox, model, mailPageUrl: mailPage.baseUrl };
}

/** What the examples ask for in their settings: a folder, an image, URLs, a bucket. */
async function exampleSettings({ simulator, bucket }: Services): Promise<Record<string, string>> {
	const image = path.join(FILES_FOLDER, 'image.png');
	await writeFile(image, samplePng());
	const png = { body: samplePng(), contentType: 'image/png' };
	return {
		'Save to Disk.fileName': FILES_FOLDER,
		image,
		imageFile: simulator.serve('/demo/person.png', png),
		imageUrls: simulator.serve('/demo/coat.png', png),
		feedUrl: simulator.serve('/demo/news.xml', { body: NEWS, contentType: 'application/rss+xml' }),
		videoUrls: simulator.serve('/demo/scene.mp4', { body: sampleMp4(), contentType: 'video/mp4' }),
		audioUrls: simulator.serve('/demo/voice.wav', { body: sampleWav(), contentType: 'audio/wav' }),
		'Save to Bucket.bucketName': bucket.name,
		'Saved.link': bucket.url,
	};
}

/** Those of all services, and of MCP clients. */
async function ensureCredentials(api: N8nApi, { simulator, bucket, mailbox, model }: Services) {
	const service = { apiKey: DEFAULT_API_KEY, baseUrl: simulator.baseUrl };
	const chat = { apiKey: 'not-checked', url: model.baseUrl };
	const secret = { token: 'demo-secret' };
	return {
		videogenApi: await ensureCredential(api, 'videogenApi', 'Videogen simulator', service),
		openAiApi: await ensureCredential(api, 'openAiApi', 'Simulated chat model', chat),
		httpBearerAuth: await ensureCredential(api, 'httpBearerAuth', 'Secret for MCP clients', secret),
		s3: await ensureCredential(api, 's3', BUCKET_CREDENTIAL, bucket.credential),
		smtp: await ensureCredential(api, 'smtp', 'Mail server of the demo', mailbox.credential),
	};
}

/** Puts all workflows into n8n; gives the address of the first to look at. */
async function prepare(api: N8nApi, services: Services): Promise<string> {
	await logIn(api);
	const credentials = await ensureCredentials(api, services);
	const settings = { ...(await exampleSettings(services)), ...(await ensureTables(api)) };
	await ensureExamples(api, credentials, settings);
	const { id } = await ensureWorkflow(api, credentials.videogenApi);
	return `${api.baseUrl}/workflow/${id}`;
}

/** `npm run demo`: a real n8n with the node and all examples, and all that they need. */
async function demonstrate(program: Program): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'simulator-port': { type: 'string', default: '4010' },
		},
	});
	const port = Number(values.port);
	await checkPort(port, 'the editor', '--port');
	const services = await startServices(program, Number(values['simulator-port']));
	const { simulator, bucket, mailPageUrl } = services;
	ensureFreshBuild();
	await mkdir(FILES_FOLDER, { recursive: true });
	const server = await startDemo(program, 'demo', port, {
		N8N_RESTRICT_FILE_ACCESS_TO: FILES_FOLDER,
	});
	say(`Editor:   ${await prepare(new N8nApi(server.baseUrl, program.signal), services)}`);
	say(`Login:    ${DEMO_LOGIN.email} / ${DEMO_LOGIN.password}`);
	say(`Recipes:  ${server.baseUrl}/home/workflows`);
	say(`Mails:    ${mailPageUrl}`);
	say(`Bucket:   ${bucket.url} lists its files`);
	say(
		`          In a node of your own: credential “${BUCKET_CREDENTIAL}”, bucket “${bucket.name}”`,
	);
	say(`Image:    ${simulator.baseUrl}/demo/person.png, to copy into a field for an image`);
	say(`Service:  ${simulator.baseUrl}, with the API key ${DEFAULT_API_KEY}`);
	say(`Log:      ${server.logFile}`);
	say(
		'Open the editor, log in, and press “Execute workflow”: the video costs nothing. Ctrl-C ends the demo.',
	);
	await Promise.race([once(program.signal, 'abort'), failOnExit(server.exited)]);
}

void runProgram(demonstrate);
