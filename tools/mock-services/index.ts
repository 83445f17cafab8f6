/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateCACertificate, getLocal, type CompletedRequest } from 'mockttp';
import { Drive } from './drive';
import { GoogleAccount } from './googleAccount';
import { Refusal, type PlayedAnswer, type PlayedHost, type PlayedRequest } from './http';
import { Sheets } from './sheets';
import { Slack } from './slack';
import { Telegram } from './telegram';
import { YouTube } from './youTube';

/** How an answer is disturbed once. */
export interface Disturbance {
	host: string;
	/** Part of the path, after the method: `POST /api/chat.postMessage`. */
	request: string;
	/** Resolves it, or keeps it open for good when a number is missing. */
	status?: number;
	/** How many requests pass first. */
	skip?: number;
}

/** The services of others, played on this machine. */
export type PlayedServices = Awaited<ReturnType<typeof startPlayedServices>>;

const NOTHING_HERE: PlayedAnswer = { status: 404, body: '' };

/**
 * Starts a proxy that plays the hosts of Google, Slack and Telegram, with a certificate authority of
 * its own; for any other host it answers 404. Each service keeps what it gets, and each request that
 * the true one would refuse is refused, and written down in `complaints`.
 * @param port 0 takes any free port.
 */
export async function startPlayedServices(port = 0) {
	const folder = await mkdtemp(path.join(tmpdir(), 'videogen-services-'));
	const certificateFile = path.join(folder, 'authority.pem');
	const https = await generateCACertificate();
	await writeFile(certificateFile, https.cert);

	const google = new GoogleAccount();
	const sheets = new Sheets(google);
	const drive = new Drive(google);
	const youTube = new YouTube(google);
	const slack = new Slack();
	const telegram = new Telegram();
	const hosts: Record<string, PlayedHost> = {
		'oauth2.googleapis.com': google.tokenHost,
		'sheets.googleapis.com': sheets.host,
		'www.googleapis.com': (request) =>
			(request.url.pathname.includes('/youtube/') ? youTube : drive).host(request),
		'slack.com': slack.host,
		'api.telegram.org': telegram.host,
	};
	const complaints: string[] = [];
	const disturbances: Array<Disturbance & { onHeld?: () => void }> = [];

	const answer = async (request: PlayedRequest): Promise<PlayedAnswer> => {
		const host = hosts[request.url.host];
		if (host === undefined) return NOTHING_HERE;
		const disturbed = disturbances.find((one) => isFor(one, request));
		if (disturbed && (disturbed.skip ??= 0) > 0) disturbed.skip -= 1;
		else if (disturbed) {
			disturbances.splice(disturbances.indexOf(disturbed), 1);
			disturbed.onHeld?.();
			if (disturbed.status === undefined) return await new Promise(() => {});
			return { status: disturbed.status, headers: { 'retry-after': '1' }, body: '{}' };
		}
		try {
			return await host(request);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			complaints.push(`${request.method} ${request.url.href}: ${error.message}`);
			return error.answer;
		}
	};

	const proxy = getLocal({ https });
	await proxy.start(port === 0 ? undefined : port);
	await proxy.forAnyRequest().thenCallback(async (request) => {
		const { status, ...rest } = await answer(requestOf(request));
		return { statusCode: status, ...rest };
	});

	return {
		...{ sheets, drive, youTube, slack, telegram, google },
		/** What n8n needs to be started with to find them. */
		env: {
			HTTPS_PROXY: proxy.url.replace('https:', 'http:'),
			NODE_EXTRA_CA_CERTS: certificateFile,
			NO_PROXY: '127.0.0.1,localhost',
		},
		/** Requests that the true service would have refused, as far as anybody asked for it. */
		complaints,
		/** The next request that fits is answered so. */
		disturb: (disturbance: Disturbance) => void disturbances.push(disturbance),
		/** Resolves when a request that fits has come; it is never answered. */
		hold: async (disturbance: Omit<Disturbance, 'status'>) =>
			await new Promise<void>((onHeld) => disturbances.push({ ...disturbance, onHeld })),
		/** Forgets what the services have, but not who may use them. */
		reset: () => {
			for (const list of [complaints, disturbances]) list.length = 0;
			for (const list of [drive.files, youTube.videos, slack.messages, telegram.messages]) {
				list.length = 0;
			}
			youTube.uploadsLeft = Infinity;
		},
		close: async () => {
			await proxy.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const isFor = ({ host, request }: Disturbance, { method, url }: PlayedRequest): boolean =>
	url.host === host && `${method} ${decodeURIComponent(url.pathname)}`.includes(request);

const requestOf = ({ method, url, headers, body }: CompletedRequest): PlayedRequest => ({
	method,
	url: new URL(url),
	headers: Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
	),
	body: body.buffer,
});
