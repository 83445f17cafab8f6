import type { Execution } from '../../n8n/api';
import { prepared, readExample } from '../../n8n/examples';
import type { Mail } from '../../n8n/mailbox';
import type { Credentials, NewWorkflow } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { simulatorOf } from '../beds/suite';
import { bucketAndMailOf, openLink } from '../bucketAndMail';

export const APPROVE = 'approve-then-final.json';
export const APPROVE_BUTTON = 'Approve';
const DECLINE_BUTTON = 'Decline';
const ASK_NODE = 'Ask for Approval';
const PROMPT = 'A fox in the snow';
const PERSON = 'person@example.com';
const DRAFT = { prompt: PROMPT, duration: 4, quality: '480p' };
const FINAL = { prompt: PROMPT, duration: 10, quality: '720p' };

/** The example with what a person fills in. */
export const approveThenFinal = (credentials: Credentials): NewWorkflow =>
	prepared(readExample(APPROVE), { credentials, settings: { prompt: PROMPT, toEmail: PERSON } });

/** The same, where nobody needs to wait for three days. */
const soonOver = ({ nodes, ...rest }: NewWorkflow): NewWorkflow => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'minutes' };
	const options = { limitWaitTime: { values }, appendAttribution: false };
	const shortened = nodes.map((node) =>
		node.name === ASK_NODE ? { ...node, parameters: { ...node.parameters, options } } : node,
	);
	return { ...rest, nodes: shortened };
};

/** A draft, a mail with two buttons, and a final only after a click on one of them. */
export function testApproveThenFinal(n8n: Suite): void {
	describe(`the draft of ${APPROVE}`, () => {
		const outside = bucketAndMailOf(n8n);
		const service = simulatorOf(n8n);
		const nobodysMail = bucketAndMailOf(n8n);
		let silentId: string;
		/** Waits beside the others, with a service and a mailbox of its own. */
		beforeAll(async () => {
			const videogenApi = await n8n.credential({ baseUrl: service().baseUrl });
			const credentials = { ...nobodysMail().credentials, videogenApi };
			silentId = await n8n.start(soonOver(approveThenFinal(credentials)));
			await nobodysMail().mailbox.untilMail(1);
		});

		const mails = () => outside().mailbox.mails;
		const workflow = () => approveThenFinal(outside().credentials);
		/** The ID of an execution that waits for an answer, and its mail. */
		const asked = async (executionId: string): Promise<Mail> => {
			await n8n.api.waitForStatus(executionId, 'waiting');
			const [mail] = mails();
			if (mail === undefined) throw new Error('There is no mail');
			return mail;
		};
		const answered = async (button: string): Promise<Execution> => {
			const executionId = await n8n.start(workflow());
			const mail = await asked(executionId);
			expect((await openLink(mail.linkOf(button))).status).toBe(200);
			return await n8n.ended(executionId);
		};
		const finalMail = () => {
			const [video] = n8n.tasks().at(-1)?.results() ?? [];
			return { to: PERSON, text: expect.stringContaining(String(video)) };
		};

		it('is mailed with two buttons, and Approve makes and mails the final, once', async () => {
			const executionId = await n8n.start(workflow());
			const mail = await asked(executionId);
			expect(n8n.createdBodies()).toMatchObject([DRAFT]);
			expect(mail).toMatchObject({ to: PERSON, subject: 'Draft: make the final?' });
			expect(mail.text).toContain(n8n.onlyTask().results()[0]);
			expect(mail.text).toContain(PROMPT);
			expect(mail.linkOf(DECLINE_BUTTON)).not.toBe(mail.linkOf(APPROVE_BUTTON));

			await openLink(mail.linkOf(APPROVE_BUTTON));
			await n8n.ended(executionId);
			for (const button of [APPROVE_BUTTON, DECLINE_BUTTON]) await openLink(mail.linkOf(button));
			expect(n8n.createdBodies()).toMatchObject([DRAFT, FINAL]);
			expect(mails()).toMatchObject([mail, finalMail()]);
		});

		it('is all that is paid for when a person declines, whatever is clicked later', async () => {
			const { id } = await answered(DECLINE_BUTTON);
			const [mail] = mails();
			await openLink(String(mail?.linkOf(APPROVE_BUTTON)));
			await n8n.ended(id);

			expect(n8n.createdBodies()).toMatchObject([DRAFT]);
			expect(mails()).toHaveLength(1);
		});

		it('is not made again by Retry after its mail could not be sent', async () => {
			outside().mailbox.door.shut();
			const failed = await n8n.execute(workflow(), 'error');
			expect(mails()).toEqual([]);
			outside().mailbox.door.open();
			const retried = await n8n.api.startRetry(failed.id);
			await openLink((await asked(retried)).linkOf(APPROVE_BUTTON));
			await n8n.ended(retried);

			expect(n8n.createdBodies()).toMatchObject([DRAFT, FINAL]);
			expect(mails()).toMatchObject([{}, finalMail()]);
		});

		it('has one final, also when the mail of the final needs a Retry', async () => {
			const executionId = await n8n.start(workflow());
			const mail = await asked(executionId);
			outside().mailbox.door.shut();
			await openLink(mail.linkOf(APPROVE_BUTTON));
			const failed = await n8n.ended(executionId, 'error');
			outside().mailbox.door.open();
			await n8n.retry(failed);

			expect(n8n.createdBodies()).toMatchObject([DRAFT, FINAL]);
			expect(mails()).toMatchObject([mail, finalMail()]);
		});

		it('is all that is paid for when nobody answers in time', async () => {
			await n8n.ended(silentId);
			expect(
				service()
					.creates()
					.map(({ json }) => json),
			).toMatchObject([DRAFT]);
		});
	});
}
