import { startHost, type Host } from '../realN8n/hosts';
import type { Mail, Mailbox } from '../realN8n/mailbox';

/** Shows all mails, the newest first; their links and buttons open in a new tab. */
export async function startMailPage({ mails }: Mailbox, port: number): Promise<Host> {
	return await startHost((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
		response.end(page(mails));
	}, port);
}

const page = (mails: Mail[]): string => `<!DOCTYPE html>
<html><head><title>Mails of the demo</title><meta http-equiv="refresh" content="5"></head>
<body style="font-family: sans-serif; max-width: 60em; margin: 2em auto">
<h1>Mails of the demo</h1>
${mails.map(article).reverse().join('\n') || '<p>There is none yet. The page looks again every five seconds.</p>'}
</body></html>`;

const article = (mail: Mail): string => `<article style="border-top: 1px solid #ccc">
<h2>${escaped(mail.subject)}</h2>
<p>From ${escaped(mail.from)} to ${escaped(mail.to)}</p>
${mail.html ? frame(mail.html) : `<pre style="white-space: pre-wrap">${linked(mail.text)}</pre>`}
</article>`;

const frame = (html: string): string =>
	`<iframe srcdoc="${escaped(html)}" style="width: 100%; height: 24em; border: 0"></iframe>`;

const linked = (text: string): string =>
	escaped(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}" target="_blank">${url}</a>`);

const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
