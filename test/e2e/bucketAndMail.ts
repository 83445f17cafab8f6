import { startBucket, type Bucket } from '../programs/realN8n/bucket';
import { startMailbox, type Mailbox } from '../programs/realN8n/mailbox';
import type { Credentials } from '../programs/realN8n/workflows';
import type { Suite } from './beds/suite';

/** n8n takes whoever has no browser for a scanner of mails, and does not count its click. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

/** Where the recipes save and send, with what n8n needs to know of it. */
export interface BucketAndMail {
	bucket: Bucket;
	mailbox: Mailbox;
	/** Of the service, the bucket and the mail server. */
	credentials: Credentials;
}

/** A bucket and a mail server for the tests of a `describe`, in which this is called. */
export function bucketAndMailOf(n8n: Suite): () => BucketAndMail {
	let both: BucketAndMail;
	beforeAll(async () => {
		const bucket = n8n.closeAtEnd(await startBucket());
		const mailbox = n8n.closeAtEnd(await startMailbox());
		const credentials = {
			videogenApi: n8n.bed.credential,
			s3: await n8n.api.createCredential('Bucket', bucket.credential, 's3'),
			smtp: await n8n.api.createCredential('Mail', mailbox.credential, 'smtp'),
		};
		both = { bucket, mailbox, credentials };
	});
	beforeEach(() => {
		both.mailbox.mails.length = 0;
		both.mailbox.door.open();
		both.bucket.door.open();
	});
	return () => both;
}

/** Opens a link of a mail, as a person does. */
export const openLink = async (url: string): Promise<Response> =>
	await fetch(url, { headers: BROWSER });
