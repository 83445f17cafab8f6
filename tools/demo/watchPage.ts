import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PlayedServices } from '../mock-services';
import { folderLink } from '../mock-services/drive';
import type { Spreadsheet } from '../mock-services/sheets';
import { startHost, type Host } from '../n8n/hosts';
import type { Mail, Mailbox } from '../n8n/mailbox';
import type { Simulator } from '../simulator';
import { DEMO_PERSON } from './example';

/** What a person watches, all of it on this machine. */
export interface Watched {
	simulator: Simulator;
	services: PlayedServices;
	mailbox: Mailbox;
	/** By the name in n8n of the recipe that reads it. */
	sheets: ReadonlyArray<[string, Spreadsheet]>;
}

/**
 * A page that shows what was created, and the played sheets, drive, channels and chat; a person adds
 * rows there, and writes to the bot.
 */
export async function startWatchPage(watched: Watched, port: number): Promise<Host> {
	return await startHost((request, response) => {
		answer(watched, request, response).catch((error: unknown) => {
			response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
			response.end(error instanceof Error ? error.message : String(error));
		});
	}, port);
}

async function answer(
	watched: Watched,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { pathname } = new URL(request.url ?? '/', 'http://localhost');
	if (request.method === 'POST') {
		await act(watched, pathname, new URLSearchParams(await text(request)));
		response.writeHead(303, { location: '/' });
		response.end();
		return;
	}
	const { drive, youTube } = watched.services;
	const file = [...drive.files, ...youTube.videos].find(({ id }) => pathname === `/file/${id}`);
	const type = file?.mimeType ?? 'text/html; charset=utf-8';
	response.writeHead(200, { 'content-type': type });
	response.end(file?.bytes ?? (pathname === '/state' ? statePage(watched) : page(watched)));
}

/** What the forms of the page do. */
async function act({ services, sheets }: Watched, action: string, form: URLSearchParams) {
	const said = form.get('text') ?? '';
	const sheet = sheets[Number(form.get('sheet'))]?.[1];
	if (action === '/row') sheet?.add({ prompt: said, title: said.slice(0, 60), status: 'open' });
	const status = form.get('status') ?? '';
	if (action === '/status') sheet?.write(Number(form.get('row')), { status });
	if (action !== '/say') return;
	if (!services.telegram.isHeard) throw new Error('Publish the Telegram recipe in n8n first.');
	await services.telegram.say({ from: DEMO_PERSON, text: said });
}

const STYLE = 'font-family: sans-serif; margin: 1em';

const page = ({ sheets }: Watched): string => `<!DOCTYPE html>
<html><head><title>Demo: what happens</title></head><body style="${STYLE}">
<h1>What happens in the demo</h1>
<p>Nothing here leaves this machine, and nothing is paid.</p>
${sheets.map(([recipe], index) => form('/row', `A new row for “${recipe}”`, 'Add', { sheet: index })).join('\n')}
${form('/say', 'A message to the Telegram bot', 'Send')}
<iframe src="/state" title="State" style="width: 100%; height: 80vh; border: 0"></iframe>
</body></html>`;

const statePage = (watched: Watched): string => `<!DOCTYPE html>
<html><head><title>State</title><meta http-equiv="refresh" content="3"><base target="_blank"></head>
<body style="${STYLE}">${sectionsOf(watched).join('\n')}</body></html>`;

function sectionsOf({ simulator, services, mailbox, sheets }: Watched): string[] {
	const { drive, youTube, slack, telegram } = services;
	return [
		section('Creates', createsOf(simulator), ['Prompt', 'Time', 'Status', 'Task ID', 'Key']),
		...sheets.map(([recipe, sheet], index) =>
			section(`Sheet for “${recipe}”: ${sheet.link}`, rowsOf(sheet, index), sheet.rows[0]),
		),
		section(
			`Google Drive: ${[...drive.folders].map(folderLink).join(' ')}`,
			drive.files.map(({ id, name }) => [link(`/file/${id}`, name)]),
		),
		section(
			'YouTube',
			youTube.videos.map(({ id, title, privacyStatus }) => [
				link(`/file/${id}`, title),
				escaped(privacyStatus),
			]),
		),
		section(
			'Slack',
			slack.messages.map(({ channel, text: said, buttons }) => [
				escaped(channel),
				linked(said),
				Object.entries(buttons)
					.map(([label, url]) => link(url, label))
					.join(' '),
			]),
		),
		section(
			'Telegram',
			telegram.messages.map(({ text: said, video }) => [
				linked(said),
				video ? `a video of ${video.length} bytes` : '',
			]),
		),
		section('Mails', [...mailbox.mails].reverse().map(mailRow)),
	];
}

/** What the service was asked to create: its prompt, when, what became of it, and its key. */
const createsOf = ({ creates, tasks }: Simulator): string[][] =>
	creates().map(({ prompt = '', at, taskId = '', status, headers }) => [
		escaped(prompt),
		new Date(at).toLocaleTimeString('en-GB'),
		escaped(tasks.get(taskId)?.status() ?? `answered ${status ?? 'nothing'}`),
		escaped(taskId),
		escaped(String(headers['idempotency-key'] ?? '')),
	]);

/** What the notes of the recipes tell a person to write. */
const STATUSES = ['open', 'making'];

const rowsOf = (sheet: Spreadsheet, index: number): string[][] =>
	sheet
		.records()
		.map((row, nth) => [
			...Object.values(row).map((cell) => linked(String(cell))),
			...STATUSES.map((status) =>
				form('/status', '', `Set ${status}`, { sheet: index, row: nth, status }),
			),
		]);

const mailRow = (mail: Mail): string[] => [
	escaped(mail.subject),
	mail.html
		? `<iframe srcdoc="${escaped(mail.html)}" style="width: 40em; height: 20em"></iframe>`
		: `<pre style="white-space: pre-wrap">${linked(mail.text)}</pre>`,
];

const CELL =
	'border: 1px solid #ccc; padding: 4px; white-space: pre-line; overflow-wrap: anywhere; min-width: 4em';

function section(title: string, rows: string[][], names: ReadonlyArray<unknown> = []): string {
	const cells = (row: string[], tag: string) =>
		row.map((cell) => `<${tag} style="${CELL}">${cell}</${tag}>`);
	const head = names.map((name) => escaped(String(name)));
	const all = [
		...(head.length > 0 ? [cells(head, 'th')] : []),
		...rows.map((row) => cells(row, 'td')),
	];
	const table = all.map((row) => `<tr>${row.join('')}</tr>`).join('\n');
	return `<h2>${escaped(title)}</h2>
<table style="border-collapse: collapse">${table || '<tr><td>Nothing yet</td></tr>'}</table>`;
}

function form(
	action: string,
	label: string,
	button: string,
	hidden: Record<string, string | number> = {},
) {
	const inputs = Object.entries(hidden).map(
		([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
	);
	const field = label && `<label>${escaped(label)} <input name="text" size="50" required></label>`;
	return `<form method="post" action="${action}" target="_top">${inputs.join('')}${field} <button>${button}</button></form>`;
}

const link = (url: string, label: string): string =>
	`<a href="${escaped(url)}">${escaped(label)}</a>`;

/** A link into the played drive opens the file here. */
const linked = (given: string): string =>
	escaped(given).replace(/https?:\/\/\S+/g, (url) => {
		const [, file] = /^https:\/\/drive\.google\.com\/file\/d\/([^/]+)/.exec(url) ?? [];
		return `<a href="${file ? `/file/${file}` : url}">${url}</a>`;
	});

const escaped = (given: string): string =>
	given.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
