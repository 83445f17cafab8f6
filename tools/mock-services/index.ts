/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateCACertificate, getLocal, type CompletedRequest } from 'mockttp';
import { startBucket } from '../n8n/bucket';
import { startMailbox } from '../n8n/mailbox';
import { Drive } from './drive';
import { Refusal, type Route } from './http';
import { Sheets } from './sheets';
import { Slack } from './slack';
import { Telegram } from './telegram';
import { YouTube } from './youTube';

/** What a person has in the accounts. */
export const FOLDER = '1folderOfTheVideosInTheDrive';
export const IMAGES_FOLDER = '1folderOfTheImagesInTheDrive';
export const CHANNEL = '#videos';
/** Who may create videos with the bot. */
export const BOT_PERSON = 4711;

/** The data of an n8n credential for any of Google's nodes. */
const GOOGLE_CREDENTIAL = {
	clientId: 'simulated.apps.googleusercontent.com',
	clientSecret: 'simulated-secret',
	oauthTokenData: { access_token: 'ya29.simulated', token_type: 'Bearer' },
};

/** The services of others, played on this machine. */
export type PlayedServices = Awaited<ReturnType<typeof startPlayedServices>>;

/**
 * Starts a bucket, a mail server, and a proxy that plays the hosts of Google, Slack and Telegram, with a
 * certificate authority of its own; for any other host it answers 404. Each service keeps what it gets;
 * a call that it does not take is written down in `complaints`.
 * @param ports Any free ones unless given.
 */
export async function startPlayedServices(ports = { bucket: 0, proxy: 0 }) {
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-services-'));
	const certificateFile = path.join(folder, 'authority.pem');
	const https = await generateCACertificate();
	await writeFile(certificateFile, https.cert);

	const bucket = await startBucket(ports.bucket);
	const mailbox = await startMailbox();
	const sheets = new Sheets();
	const drive = new Drive([FOLDER, IMAGES_FOLDER]);
	const youTube = new YouTube();
	const slack = new Slack();
	const telegram = new Telegram();
	const hosts: Readonly<Record<string, readonly Route[]>> = {
		'sheets.googleapis.com': sheets.routes,
		'www.googleapis.com': [...drive.routes, ...youTube.routes],
		'slack.com': slack.routes,
		'api.telegram.org': telegram.routes,
	};
	const complaints: string[] = [];

	const answer = async (request: CompletedRequest) => {
		const { host, pathname } = new URL(request.url);
		const routes = hosts[host];
		if (routes === undefined) return { statusCode: 404 };
		const called = `${request.method} ${decodeURIComponent(pathname)}`;
		try {
			for (const [call, answered] of routes) {
				const [found, ...groups] = call.exec(called) ?? [];
				if (found !== undefined) return await answered(request, ...groups);
			}
			throw new Error('Not played');
		} catch (error) {
			const { message } = Object(error);
			complaints.push(`${request.method} ${request.url}: ${message}`);
			const statusCode = error instanceof Refusal ? error.statusCode : 400;
			return { statusCode, json: { error: { message } } };
		}
	};

	const proxy = getLocal({ https });
	await proxy.start(ports.proxy || undefined);
	await proxy.forAnyRequest().thenCallback(answer);

	return {
		sheets,
		drive,
		youTube,
		slack,
		telegram,
		bucket,
		mails: mailbox.mails,
		/** What n8n's credentials hold, by their types. */
		credentials: {
			googleDriveOAuth2Api: GOOGLE_CREDENTIAL,
			googleSheetsOAuth2Api: GOOGLE_CREDENTIAL,
			youTubeOAuth2Api: GOOGLE_CREDENTIAL,
			slackApi: { accessToken: 'xoxb-played' },
			telegramApi: { accessToken: '4242:played-token', baseUrl: 'https://api.telegram.org' },
			s3: bucket.credential,
			smtp: mailbox.credential,
			httpBearerAuth: { token: 'secret-of-the-mcp-clients' },
		},
		/** What n8n needs to be started with to find them. */
		env: {
			HTTPS_PROXY: proxy.url.replace('https:', 'http:'),
			NODE_EXTRA_CA_CERTS: certificateFile,
			NO_PROXY: '127.0.0.1,localhost',
		},
		/** Calls that were not taken. */
		complaints,
		/**
		 * The next call with this in `METHOD URL` is answered so, or never; resolves when it has come.
		 * @param skip How many such calls pass first.
		 */
		disturb: async (call: string, statusCode?: number, skip = 0) =>
			await new Promise<void>((begun) => {
				let left = skip;
				const isDisturbed = ({ method, url }: CompletedRequest) =>
					`${method} ${url}`.includes(call) && left-- <= 0;
				const rule = proxy.forAnyRequest().matching(isDisturbed).asPriority(1).once();
				void rule.thenCallback(async () => {
					begun();
					if (statusCode === undefined) await new Promise(() => {});
					return { statusCode, headers: { 'retry-after': '1' }, json: {} };
				});
			}),
		/** Forgets what the services have. */
		reset: () => {
			const kept = [drive.files, youTube.videos, slack.messages, telegram.messages];
			for (const list of [complaints, mailbox.mails, ...kept]) list.length = 0;
			youTube.uploadsLeft = Infinity;
		},
		close: async () => {
			await Promise.all([proxy.stop(), bucket.close(), mailbox.close()]);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
