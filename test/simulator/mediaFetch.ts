import { createHash } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv4 } from 'node:net';
import { systemCodeOf } from './systemCode';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** Some hosts answer nothing to a client without a name. No key: these hosts are not the service. */
const HEADERS = { accept: '*/*', 'user-agent': 'videogen-simulator' };

export interface FetchLimits {
	/** Of larger files no more than this is read. */
	maxBytes: number;
	/** Also fetches what is not on this machine. */
	isPublicAllowed: boolean;
	signal: AbortSignal;
}

/** How a fetch ended and what came; nothing of the file is kept. */
export interface FetchOutcome {
	/** `skipped`: not on this machine, so nothing was sent there. */
	outcome: 'fetched' | 'failed' | 'tooLarge' | 'skipped';
	/** HTTP status of the last answer. */
	status?: number;
	contentType?: string;
	bytes?: number;
	/** In hex. */
	sha256?: string;
	/** Why there is no whole file. */
	reason?: string;
}

/** Only what surely stays on this machine: other names would have to be asked from a server. */
const isLoopback = ({ hostname }: URL): boolean =>
	hostname === 'localhost' ||
	hostname === '[::1]' ||
	(isIPv4(hostname) && hostname.startsWith('127.'));

/** Why this address is not asked; undefined when it may be. */
function refusalOf(address: URL, limits: FetchLimits): FetchOutcome | undefined {
	if (address.protocol !== 'http:' && address.protocol !== 'https:') {
		return { outcome: 'failed', reason: `${address.protocol} addresses cannot be fetched` };
	}
	if (limits.isPublicAllowed || isLoopback(address)) return undefined;
	return { outcome: 'skipped', reason: `${address.hostname} is not on this machine` };
}

function open(address: URL, signal: AbortSignal): Promise<IncomingMessage> {
	const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
	return new Promise((resolve, reject) => {
		const request = send(address, { agent: false, headers: HEADERS, signal }, resolve);
		request.on('error', reject);
		request.end();
	});
}

async function readFile(response: IncomingMessage, maxBytes: number): Promise<FetchOutcome> {
	const hash = createHash('sha256');
	let bytes = 0;
	for await (const chunk of response) {
		if (!Buffer.isBuffer(chunk)) continue;
		bytes += chunk.length;
		// Leaving the loop closes the connection.
		if (bytes > maxBytes) {
			return { outcome: 'tooLarge', reason: `It has more than ${maxBytes} bytes` };
		}
		hash.update(chunk);
	}
	return { outcome: 'fetched', bytes, sha256: hash.digest('hex') };
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<FetchOutcome> {
	const { statusCode: status = 0, headers } = response;
	const contentType = headers['content-type'];
	const answer = { status, ...(contentType !== undefined && { contentType }) };
	if (status < 200 || status >= 300) {
		response.destroy();
		return { outcome: 'failed', ...answer, reason: `Its host answered with status ${status}` };
	}
	return await readFile(response, maxBytes).then(
		(outcome) => ({ ...answer, ...outcome }),
		(reason: unknown) => ({ outcome: 'failed', ...answer, reason: explain(reason) }),
	);
}

const explain = (reason: unknown): string =>
	`The connection failed (${systemCodeOf(reason) ?? String(reason)})`;

/** Where a redirect leads; undefined for any other answer. */
function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
	const { location } = headers;
	if (!REDIRECTS.has(statusCode) || location === undefined) return undefined;
	return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

async function follow(start: URL, limits: FetchLimits): Promise<FetchOutcome> {
	let address = start;
	for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
		const refusal = refusalOf(address, limits);
		if (refusal) return refusal;
		const response = await open(address, limits.signal);
		const next = redirectOf(response, address);
		if (next === undefined) return await readAnswer(response, limits.maxBytes);
		response.destroy();
		address = next;
	}
	return { outcome: 'failed', reason: `It was redirected more than ${MAX_REDIRECTS} times` };
}

/** Fetches a file as a service would: without any key, and for its digest only. Never rejects. */
export async function fetchFile(url: string, limits: FetchLimits): Promise<FetchOutcome> {
	return await follow(new URL(url), limits).catch((reason: unknown) => ({
		outcome: 'failed',
		reason: explain(reason),
	}));
}
