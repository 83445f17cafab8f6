import { startTestbed, type Testbed } from '../realN8n/testbed';
import { startBucket, type Bucket } from '../realN8n/bucket';
import { NEWEST } from '../realN8n/versions';
import {
	chainWorkflow,
	triggerNode,
	videogenNode,
	type ChainNode,
	type Credentials,
} from '../realN8n/workflows';
import type { Report } from './bound';
import { MEGABYTE, riseOf } from './resident';
import { number, table, type Row } from './table';

/** Older ones sign no request of the AWS S3 node to a bucket that is not Amazon's. */
const VERSION = NEWEST;
/** The largest is the one that is told; the others let n8n load and compile its code. */
const LOADS_MEGABYTES = [1, 20, 300];

const NODES = {
	S3: { type: 'n8n-nodes-base.s3', typeVersion: 1 },
	'AWS S3': { type: 'n8n-nodes-base.awsS3', typeVersion: 2 },
};

interface Upload {
	bed: Testbed;
	bucket: Bucket;
	credentials: Credentials;
	node: ChainNode;
	megabytes: number;
}

/** The memory that n8n takes for one file on its way from the service into a bucket. */
export async function benchBuckets(tell: (line: string) => void): Promise<Report> {
	const rows: Row[] = [];
	const bucket = await startBucket();
	try {
		for (const [name, kind] of Object.entries(NODES)) {
			tell(`${VERSION}, ${name}`);
			const node = { name, ...kind, parameters: parametersFor(bucket) };
			rows.push({ Node: name, n8n: VERSION, ...(await measured(bucket, node)) });
		}
	} finally {
		await bucket.close();
	}
	return {
		title: 'Memory of n8n while one file is downloaded and put into a bucket',
		tables: [table(rows)],
		bounds: [],
	};
}

const parametersFor = (bucket: Bucket) => ({
	operation: 'upload',
	bucketName: bucket.name,
	fileName: '={{ $json.id }}.mp4',
	binaryPropertyName: 'data',
	additionalFields: {},
});

/** By a server of its own, because the first node's garbage would be the second one's room. */
async function measured(bucket: Bucket, node: ChainNode): Promise<Row> {
	const bed = await startTestbed(VERSION);
	try {
		const credentials = {
			videogenApi: bed.credential,
			s3: await bed.api.createCredential('Bucket', bucket.credentials.s3, 's3'),
			aws: await bed.api.createCredential('AWS', bucket.credentials.aws, 'aws'),
		};
		let riseBytes = 0;
		let megabytes = 0;
		for (megabytes of LOADS_MEGABYTES) {
			const upload = { bed, bucket, credentials, node, megabytes };
			riseBytes = await riseOf(bed.processGroup, async () => await uploadOne(upload));
		}
		const rise = `${number(riseBytes / MEGABYTE, 0)} MB`;
		return { File: `${megabytes} MB`, 'Memory rises by': rise };
	} finally {
		await bed.stop();
	}
}

/** Fails unless the file is in the bucket with all its bytes. */
async function uploadOne({ bed, bucket, credentials, node, megabytes }: Upload): Promise<void> {
	const { api, sim } = bed;
	sim.reset();
	const resultBytes = megabytes * MEGABYTE;
	sim.planTask({ resultBytes });
	const download = videogenNode({ parameters: { prompt: 'A fox', downloadResults: true } });
	const nodes = [triggerNode(), download, node];
	const flow = chainWorkflow({ name: node.name, credentials, nodes });
	const id = await api.runWorkflow(await api.createWorkflow(flow));
	const { status, error } = await api.waitForExecution(id);
	if (status !== 'success') throw new Error(`${node.name} ended with ${status}: ${error?.message}`);
	const [task] = [...sim.tasks.keys()];
	const file = await fetch(`${bucket.url}/${task}.mp4`, { method: 'HEAD' });
	const length = Number(file.headers.get('content-length'));
	if (length !== resultBytes) throw new Error(`${node.name} wrote ${length} bytes`);
}
