import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { startHost } from './hosts';

const NAME = 'my.bucket';
const REGION = 'us-east-1';
/** The one account of the server. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A bucket on this machine, which checks the signatures of those who write. */
export type Bucket = Awaited<ReturnType<typeof startBucket>>;

/** Starts a server with one bucket, on a free port unless given; its files are gone with it. */
export async function startBucket(port = 0) {
	const directory = await mkdtemp(path.join(tmpdir(), 'videogen-bucket-'));
	const configureBuckets = [{ name: NAME, configs: [] }];
	const s3 = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets });
	await s3.configureBuckets();

	const answer = s3.callback();
	let onHeld: (() => void) | undefined;
	const host = await startHost((request, response) => {
		if (onHeld) onHeld();
		else void answer(request, response);
	}, port);
	const url = `${host.baseUrl}/${NAME}`;
	return {
		name: NAME,
		/** Anybody opens its files here, as in a public bucket. */
		url,
		/** What n8n's credential needs. */
		credential: { ...KEYS, region: REGION, endpoint: host.baseUrl, forcePathStyle: true },
		/** Answers nobody from now on; resolves when somebody waits for an answer. */
		hold: async () => await new Promise<void>((resolve) => (onHeld = resolve)),
		/** Ends what `hold` began. */
		open: () => {
			onHeld = undefined;
		},
		/** The paths of all its files. */
		keys: async () => {
			const list = await (await fetch(`${url}?list-type=2`)).text();
			return [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
		},
		close: async () => {
			await host.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
