import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { LOOPBACK, freePort } from './ports';

/** One mail as a person has it before them. */
type Mail = ReturnType<typeof readMail>;

/** Starts a mail server on a free port of this machine, which takes mail for everybody and keeps it. */
export async function startMailbox() {
	/** All so far, the oldest first. */
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			simpleParser(stream).then((mail) => {
				mails.push(readMail(mail));
				done();
			}, done);
		},
	});
	// A killed n8n breaks off its connection.
	server.on('error', () => {});
	const port = await freePort();
	await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));

	const close = async () => await new Promise<void>((resolve) => server.close(resolve));
	const credential = { host: LOOPBACK, port, secure: false, disableStartTls: true };
	return { credential, mails, close };
}

function readMail({ to, subject = '', text = '', html }: ParsedMail) {
	return {
		to: [to].flat()[0]?.text,
		subject,
		/** What it says; of a mail in HTML, its text. */
		text,
		/** Where its button or link of that name leads. */
		linkOf: (label: string): string => {
			const [, url = ''] = new RegExp(`<a href="([^"]*)"[^>]*>${label}</a>`).exec(html || '') ?? [];
			return url.replaceAll('&amp;', '&');
		},
	};
}
