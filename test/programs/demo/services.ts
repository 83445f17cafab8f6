import { startBucket, type Bucket } from '../realN8n/bucket';
import type { Cleanups } from '../realN8n/cleanups';
import { startMailbox, type Mailbox } from '../realN8n/mailbox';
import type { Simulator } from '../simulator';
import { startMailPage } from './mailPage';

/** What runs on this machine in place of what a person has an account for. */
export interface Services {
	simulator: Simulator;
	bucket: Bucket;
	mailbox: Mailbox;
	/** Where a person reads the mails. */
	mailPageUrl: string;
}

/**
 * Starts a bucket and a mail server.
 * @param port Of the bucket; the page with the mails has the next one. Workflows of an earlier run
 *   hold the bucket's address.
 */
export async function startServices(
	simulator: Simulator,
	port: number,
	cleanups: Cleanups,
): Promise<Services> {
	const bucket = await startBucket(port);
	cleanups.add(bucket.close);
	const mailbox = await startMailbox();
	cleanups.add(mailbox.close);
	const mailPage = await startMailPage(mailbox, port + 1);
	cleanups.add(mailPage.close);
	return { simulator, bucket, mailbox, mailPageUrl: mailPage.baseUrl };
}
