/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateCACertificate, getLocal } from 'mockttp';
import { Drive } from './drive';
import { GOOGLE_CREDENTIAL } from './google';
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
	/** Answers with it, or never when it is missing. */
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

	const sheets = new Sheets();
	const drive = new Drive();
	const youTube = new YouTube();
	const slack = new Slack();
	const telegram = new Telegram();
	const hosts: Record<string, PlayedHost> = {
		'sheets.googleapis.com': sheets.host,
		'www.googleapis.com': (request) =>
			(request.url.pathname.includes('/youtube/') ? youTube : drive).host(request),
		'slack.com': slack.host,
		'api.telegram.org': telegram.host,
	};
	const complaints: string[] = [];
	const disturbances: Array<Disturbance & { begun: () => void }> = [];

	const answer = async (request: PlayedRequest): Promise<PlayedAnswer> => {
		const host = hosts[request.url.host];
		if (host === undefined) return NOTHING_HERE;
		const disturbed = disturbances.find((one) => isFor(one, request));
		if (disturbed && (disturbed.skip ??= 0) > 0) disturbed.skip -= 1;
		else if (disturbed) {
			disturbances.splice(disturbances.indexOf(disturbed), 1);
			disturbed.begun();
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
		const { method, headers, body } = request;
		const played = { method, url: new URL(request.url), headers, body: body.buffer };
		const { status, ...rest } = await answer(played);
		return { statusCode: status, ...rest };
	});

	return {
		...{ sheets, drive, youTube, slack, telegram },
		googleCredential: GOOGLE_CREDENTIAL,
		/** What n8n needs to be started with to find them. */
		env: {
			HTTPS_PROXY: proxy.url.replace('https:', 'http:'),
			NODE_EXTRA_CA_CERTS: certificateFile,
			NO_PROXY: '127.0.0.1,localhost',
		},
		/** Requests that the true service would have refused, as far as anybody asked for it. */
		complaints,
		/** The next request that fits is answered so; resolves when it has come. */
		disturb: async (disturbance: Disturbance) =>
			await new Promise<void>((begun) => disturbances.push({ ...disturbance, begun })),
		/** Forgets what the services have, but not who may use them. */
		reset: () => {
			const kept = [drive.files, youTube.videos, slack.messages, telegram.messages];
			for (const list of [complaints, disturbances, ...kept]) list.length = 0;
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
