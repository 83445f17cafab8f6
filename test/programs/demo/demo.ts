import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startChatModel } from '../realN8n/openAi';
import { N8nApi } from '../realN8n/api';
import { startBucket, type Bucket } from '../realN8n/bucket';
import type { Cleanups } from '../realN8n/cleanups';
import { ensureN8n } from '../realN8n/install';
import { startMailbox, type Mailbox } from '../realN8n/mailbox';
import { installNode, packNode } from '../realN8n/package';
import { run } from '../realN8n/process';
import { tableSetting } from '../realN8n/examples';
import { versionForThisNode } from '../realN8n/versions';
import { startN8n } from '../realN8n/server';
import { DEFAULT_API_KEY, FAILING_PROMPTS, startSimulator, type Simulator } from '../simulator';
import { sampleMp4, samplePng, sampleWav } from '../support/sampleFiles';
import {
	DEMO_LOGIN,
	ensureCredential,
	ensureExamples,
	ensureTables,
	ensureWorkflow,
	logIn,
	oneVideoPerMessage,
	runExample,
} from './example';
import { readOptions, type DemoOptions } from './options';
import { checkPort, failOnExit, runProgram, say, type Program } from './program';
import { startMailPage } from './mailPage';

const REPOSITORY = path.resolve(__dirname, '../../..');
const DEMO_FOLDER = path.join(REPOSITORY, '.demo');
/** The only folder in which the examples may read and write files. */
const FILES_FOLDER = path.join(DEMO_FOLDER, 'files');
/** Long enough to watch a task being worked on, short enough not to be boring. */
const TASK_DURATION_MS = 6_000;

interface Demo extends Program {
	options: DemoOptions;
}

async function build({ signal }: Demo): Promise<void> {
	say('Building the node.');
	await run('npm', ['run', 'build'], { cwd: REPOSITORY, signal });
}

async function simulate({ options, cleanups }: Demo): Promise<Simulator> {
	const port = options.simulatorPort;
	const simulator = await startSimulator({
		port,
		taskDurationMs: TASK_DURATION_MS,
		needsMedia: true,
	});
	simulator.planTask(FAILING_PROMPTS);
	cleanups.add(async () => await simulator.close());
	say(`The simulated service runs at ${simulator.baseUrl} (API key ${DEFAULT_API_KEY}).`);
	return simulator;
}

const BUCKET_CREDENTIAL = 'Simulated bucket';

const NEWS = Buffer.from(
	`<rss version="2.0"><channel><title>News</title>${[
		'Cherry blossom begins',
		'A tram for the old town',
	]
		.map((title, nth) => `<item><title>${title}</title><link>https://e.com/${nth}</link></item>`)
		.join('')}</channel></rss>`,
);

/** What the examples ask for in their settings: a folder, an image, URLs, a bucket. */
async function exampleSettings({ simulator, bucket }: Services): Promise<Record<string, string>> {
	await mkdir(FILES_FOLDER, { recursive: true });
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

/** Boots an n8n that has the freshly built node; its data stays in the demo folder. */
async function bootN8n({ options, signal, cleanups }: Demo) {
	const version = versionForThisNode();
	await ensureN8n(version, { onProgress: say, signal });
	// A database that a newer n8n has touched is of no use to an older one.
	const userFolder = path.join(DEMO_FOLDER, `n8n-${version}`);
	say('Installing the node into n8n.');
	await installNode(userFolder, await packNode(path.join(DEMO_FOLDER, 'package'), signal), signal);
	say(`Starting n8n ${version}.`);
	const env = { N8N_RESTRICT_FILE_ACCESS_TO: FILES_FOLDER };
	const server = await startN8n({ version, userFolder, env, signal }, options.port);
	cleanups.add(server.stop);
	return server;
}

/** What runs on this machine in place of what a person has an account for. */
interface Services {
	simulator: Simulator;
	bucket: Bucket;
	mailbox: Mailbox;
	/** Where a person reads the mails. */
	mailPageUrl: string;
}

/** Their ports are those after the simulator's: workflows of an earlier run hold the bucket's. */
async function startServices({ cleanups }: Demo, simulator: Simulator): Promise<Services> {
	const bucket = await startBucket(simulator.port + 1);
	cleanups.add(bucket.close);
	const mailbox = await startMailbox();
	cleanups.add(mailbox.close);
	const mailPage = await startMailPage(mailbox, simulator.port + 2);
	cleanups.add(mailPage.close);
	return { simulator, bucket, mailbox, mailPageUrl: mailPage.baseUrl };
}

/** Those of all that runs on this machine, of a chat model that runs here, too, and of MCP clients. */
async function ensureCredentials(api: N8nApi, services: Services, cleanups: Cleanups) {
	const { simulator, bucket, mailbox } = services;
	const model = await startChatModel(oneVideoPerMessage);
	cleanups.add(model.close);
	const ensure = async (type: string, name: string, data: object) =>
		await ensureCredential(api, { name, type, data });
	const service = { apiKey: DEFAULT_API_KEY, baseUrl: simulator.baseUrl };
	const chat = { apiKey: 'not-checked', url: model.baseUrl };
	return {
		videogenApi: await ensure('videogenApi', 'Videogen simulator', service),
		openAiApi: await ensure('openAiApi', 'Simulated chat model', chat),
		httpBearerAuth: await ensure('httpBearerAuth', 'Secret for MCP clients', {
			token: 'demo-secret',
		}),
		s3: await ensure('s3', BUCKET_CREDENTIAL, bucket.credential),
		smtp: await ensure('smtp', 'Mail server of the demo', mailbox.credential),
	};
}

/** Runs the example and shows what came out of it. */
async function showExample(api: N8nApi, services: Services, cleanups: Cleanups): Promise<string> {
	await logIn(api);
	const credentials = await ensureCredentials(api, services, cleanups);
	const version = versionForThisNode();
	const tables = Object.entries(await ensureTables(api)).map(([setting, table]) => [
		setting,
		tableSetting(table, version),
	]);
	const settings = { ...(await exampleSettings(services)), ...Object.fromEntries(tables) };
	await ensureExamples(api, credentials, settings);
	const workflow = await ensureWorkflow(api, credentials.videogenApi);
	say(`Running the workflow "${workflow.name}".`);
	const { task, resultUrls } = await runExample(api, workflow);
	say(`The task is completed:\n${JSON.stringify(task, null, 2)}`);
	say(`Result: ${resultUrls.join(' ')}`);
	return `${api.baseUrl}/workflow/${workflow.id}`;
}

async function demonstrate(demo: Demo): Promise<void> {
	await checkPort(demo.options.port, 'the editor', '--port');
	const { simulatorPort } = demo.options;
	for (const port of [simulatorPort, simulatorPort + 1, simulatorPort + 2]) {
		await checkPort(port, 'the simulated services', '--simulator-port');
	}
	await build(demo);
	const simulator = await simulate(demo);
	const services = await startServices(demo, simulator);
	const server = await bootN8n(demo);
	const address = await showExample(
		new N8nApi(server.baseUrl, demo.signal),
		services,
		demo.cleanups,
	);
	if (demo.options.once) return;
	say('');
	let videos = simulator.tasks.size;
	simulator.onRequest(() => {
		if (simulator.tasks.size === videos) return;
		videos = simulator.tasks.size;
		say(`The simulated service has made ${videos} videos.`);
	});
	say(`Editor:   ${address}`);
	say(`Recipes:  ${server.baseUrl}/home/workflows`);
	say(`Mails:    ${services.mailPageUrl}`);
	say(`Bucket:   ${services.bucket.url} lists its files`);
	say(
		`          In a node of your own: credential “${BUCKET_CREDENTIAL}”, bucket “${services.bucket.name}”`,
	);
	say(`Image:    ${simulator.baseUrl}/demo/person.png, to copy into a field for an image`);
	say(`n8n's log: ${path.join(DEMO_FOLDER, `n8n-${versionForThisNode()}`, 'n8n.log')}`);
	say(`Login:    ${DEMO_LOGIN.email} / ${DEMO_LOGIN.password}`);
	say('Press Ctrl-C to end the demo.');
	await Promise.race([once(demo.signal, 'abort'), failOnExit(server.exited)]);
}

void runProgram(
	async (program) => await demonstrate({ ...program, options: readOptions(process.argv.slice(2)) }),
);
