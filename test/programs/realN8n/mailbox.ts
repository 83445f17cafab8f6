import { EventEmitter, once } from 'node:events';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { Door } from './door';
import { LOOPBACK, freePort } from './ports';

/** Sending takes n8n a moment; a mail that has not come by then does not come. */
const MAIL_TIMEOUT_MS = 120_000;
const REFUSED = Object.assign(new Error('Try again later'), { responseCode: 451 });

/** One mail as a person has it before them. */
export interface Mail {
	from: string;
	to: string;
	subject: string;
	/** What it says; of a mail in HTML, its text. */
	text: string;
	/** Empty when the mail is plain text. */
	html: string;
	/** Where its button or link of that name leads. */
	linkOf(label: string): string;
}

/** A mail server on this machine, which takes mail for everybody and keeps it. */
export interface Mailbox {
	/** What n8n's credential needs. */
	credential: object;
	/** All mails so far, the oldest first. */
	mails: Mail[];
	door: Door;
	/** Resolves with the mail that makes it this many. */
	untilMail(count: number): Promise<Mail>;
	close(): Promise<void>;
}

/** Starts a mail server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const arrivals = new EventEmitter();
	const door = new Door();
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			const letIn = async () => {
				mails.push(readMail(await simpleParser(stream)));
				done();
				arrivals.emit('mail');
			};
			const turnAway = () => stream.resume().once('end', () => done(REFUSED));
			door.visit({ letIn: () => void letIn().catch(done), turnAway });
		},
	});
	// A killed n8n breaks off its connection.
	server.on('error', () => {});
	const port = await freePort();
	await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));

	const untilMail = async (count: number): Promise<Mail> => {
		const signal = AbortSignal.timeout(MAIL_TIMEOUT_MS);
		for (;;) {
			const mail = mails[count - 1];
			if (mail !== undefined) return mail;
			await once(arrivals, 'mail', { signal });
		}
	};
	const close = async () => await new Promise<void>((resolve) => server.close(resolve));
	const credential = { host: LOOPBACK, port, secure: false, disableStartTls: true };
	return { credential, mails, door, untilMail, close };
}

function readMail({ from, to, subject = '', text = '', html }: ParsedMail): Mail {
	const source = html || '';
	return {
		from: from?.text ?? '',
		to: [to]
			.flat()
			.map((one) => one?.text ?? '')
			.join(', '),
		subject,
		text,
		html: source,
		linkOf: (label) => {
			const links = [...source.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
			const [, url] = links.find(([, , text]) => text === label) ?? [];
			if (url === undefined) throw new Error(`The mail "${subject}" has no link "${label}"`);
			return url.replaceAll('&amp;', '&');
		},
	};
}
