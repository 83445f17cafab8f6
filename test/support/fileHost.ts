import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Journal } from '../simulator/journal';
import { HOST, listen, shut } from '../simulator/server';

/** What the host answers at one path; left out, it is an empty file with status 200. */
export interface HostedFile {
	body?: string | Buffer;
	contentType?: string;
	headers?: Record<string, string>;
	status?: number;
}

/** One request as it arrived. */
export interface HostRequest {
	method: string;
	/** With the query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** Names and values in turn, as sent: also those that Node folds or drops. */
	rawHeaders: string[];
	bodyText: string;
}

/** A plain web server of files, another origin than the simulator's. */
export interface FileHost {
	readonly origin: string;
	readonly port: number;
	/** Every request in order of arrival. */
	readonly requests: HostRequest[];
	/** Answers `path` with the file from now on, whatever the method; returns its address. */
	serve(path: string, file?: HostedFile): string;
	/** The first request, past or to come, that matches; by default waits 20 seconds at most. */
	waitForRequest(
		predicate: (request: HostRequest) => boolean,
		timeoutMs?: number,
	): Promise<HostRequest>;
	/** Every place where a request carried an `authorization` header or the key; good is none. */
	leaks(apiKey: string): string[];
	close(): Promise<void>;
}

/** The text as sent, and percent-decoded where it can be. */
function spellings(sent: string): string[] {
	try {
		return [sent, decodeURIComponent(sent)];
	} catch {
		return [sent];
	}
}

const holds = (sent: string, secret: string): boolean =>
	spellings(sent).some((spelling) => spelling.includes(secret));

/** Where this request carries what it must not. */
function leaksIn({ method, path, rawHeaders, bodyText }: HostRequest, apiKey: string): string[] {
	const found: string[] = [];
	const where = `${method} ${path.split('?')[0]}`;
	if (holds(path, apiKey)) found.push(`${where}: address`);
	if (holds(bodyText, apiKey)) found.push(`${where}: body`);
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
		const isLeak = /authorization/i.test(name) || holds(`${name}: ${value}`, apiKey);
		if (isLeak) found.push(`${where}: header ${name.toLowerCase()}`);
	}
	return found;
}

async function record(request: IncomingMessage): Promise<HostRequest> {
	const { method = '', url = '', headers, rawHeaders } = request;
	return { method, path: url, headers, rawHeaders, bodyText: await text(request) };
}

function answer(response: ServerResponse, file: HostedFile = { status: 404 }): void {
	const { status = 200, body = '', contentType = 'application/octet-stream', headers } = file;
	const bytes = Buffer.from(body);
	response.writeHead(status, {
		'content-type': contentType,
		'content-length': bytes.length,
		...headers,
	});
	response.end(bytes);
}

/** Starts a host on a free port. Files may be served at a path, or at a path with its query. */
export async function startFileHost(): Promise<FileHost> {
	const { server, port } = await listen(0);
	const origin = `http://${HOST}:${port}`;
	const files = new Map<string, HostedFile>();
	const log = new Journal<HostRequest>();
	let closing: Promise<void> | undefined;

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const recorded = await record(request);
		log.add(recorded);
		const [pathname = ''] = recorded.path.split('?');
		answer(response, files.get(recorded.path) ?? files.get(pathname));
	};
	server.on('request', (request, response) => {
		handle(request, response).catch(() => response.destroy());
	});

	return {
		origin,
		port,
		requests: log.entries,
		serve: (path, file = {}) => {
			files.set(path, file);
			return `${origin}${path}`;
		},
		waitForRequest: (predicate, timeoutMs) => log.waitFor(predicate, timeoutMs),
		leaks: (apiKey) => log.entries.flatMap((request) => leaksIn(request, apiKey)),
		close: () => {
			closing ??= shut(server);
			return closing;
		},
	};
}
