import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { Door } from './door';
import { LOOPBACK } from './ports';

/** With a dot: only then does the AWS S3 node call the endpoint of its credential. */
const NAME = 'my.bucket';
const REGION = 'us-east-1';
/** The one account of the server. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A bucket on this machine, which checks the signatures of those who write. */
export interface Bucket {
	name: string;
	/** Anybody opens its files here, as in a public bucket. */
	url: string;
	/** What n8n's credentials of both kinds need. */
	credentials: { s3: object; aws: object };
	door: Door;
	/** The paths of all its files. */
	keys(): Promise<string[]>;
	close(): Promise<void>;
}

/** Starts a server with one bucket, on a free port unless given; its files are gone with it. */
export async function startBucket(port = 0): Promise<Bucket> {
	const directory = await mkdtemp(path.join(tmpdir(), 'videogen-bucket-'));
	const configureBuckets = [{ name: NAME, configs: [] }];
	const s3 = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets });
	await s3.configureBuckets();

	const door = new Door();
	const answer = withPartLists(s3.callback());
	const server = createServer((request, response) =>
		door.visit({
			letIn: () => answer(request, response),
			turnAway: () => request.socket.destroy(),
		}),
	).listen(port, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The bucket has no port');
	const endpoint = `http://${LOOPBACK}:${address.port}`;
	const url = `${endpoint}/${NAME}`;
	return {
		name: NAME,
		url,
		credentials: {
			s3: { ...KEYS, region: REGION, endpoint, forcePathStyle: true },
			aws: { ...KEYS, region: REGION, customEndpoints: true, s3Endpoint: endpoint },
		},
		door,
		keys: async () => {
			const list = await (await fetch(`${url}?list-type=2`)).text();
			return [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
		},
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
			await rm(directory, { recursive: true, force: true });
		},
	};
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Adds the list of an upload's parts, which the AWS S3 node asks for and s3rver does not have. */
function withPartLists(answer: Answer): Answer {
	const tags = new Map<string, string[]>();
	return (request, response) => {
		const { searchParams } = new URL(request.url ?? '/', `http://${LOOPBACK}`);
		const upload = tags.get(searchParams.get('uploadId') ?? '') ?? [];
		tags.set(searchParams.get('uploadId') ?? '', upload);
		if (searchParams.has('max-parts')) return response.end(partList(upload));
		const part = Number(searchParams.get('partNumber'));
		if (part > 0) {
			response.once('finish', () => (upload[part - 1] = String(response.getHeader('etag'))));
		}
		return answer(request, response);
	};
}

const partList = (tags: string[]): string => {
	const parts = tags.map(
		(tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
	);
	const list = `<ListPartsResult>${parts.join('')}</ListPartsResult>`;
	return `<?xml version="1.0" encoding="UTF-8"?>${list}`;
};
