/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { buffer } from 'node:stream/consumers';
import { startHost } from './hosts';

const NAME = 'my.bucket';
const REGION = 'us-east-1';
const XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** A bucket on this machine, as far as n8n's S3 node uses it to save files; it knows no keys. */
export type Bucket = Awaited<ReturnType<typeof startBucket>>;

/** Starts a server with one bucket, on a free port unless given. */
export async function startBucket(port = 0) {
	const files = new Map<string, { type: string; bytes: Buffer }>();
	let onHeld: (() => void) | undefined;

	const host = await startHost(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
		const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
		const key = rest.join('/');
		const file = files.get(key);
		if (onHeld) {
			onHeld();
			onHeld = undefined;
		} else if (bucket !== NAME) {
			response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
		} else if (request.method === 'PUT') {
			const type = request.headers['content-type'] ?? '';
			files.set(key, { type, bytes: await buffer(request) });
			response.end();
		} else if (searchParams.has('location')) {
			const location = `<LocationConstraint xmlns="${XML_NAMESPACE}">${REGION}</LocationConstraint>`;
			response.end(location);
		} else if (key === '') {
			response.end([...files.keys()].join('\n'));
		} else if (file) {
			response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
		} else {
			response.writeHead(404).end();
		}
	}, port);
	const keys = { accessKeyId: 'not-checked', secretAccessKey: 'not-checked' };
	return {
		name: NAME,
		/** Anybody opens its files here, as in a public bucket. */
		url: `${host.baseUrl}/${NAME}`,
		/** What n8n's credential needs. */
		credential: { ...keys, region: REGION, endpoint: host.baseUrl, forcePathStyle: true },
		/** Never answers the next request; resolves when it has come. */
		hold: async () => await new Promise<void>((resolve) => (onHeld = resolve)),
		/** The paths of all its files. */
		keys: () => [...files.keys()],
		close: host.close,
	};
}
