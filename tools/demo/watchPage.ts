/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PlayedServices } from '../mock-services';
import type { Spreadsheet } from '../mock-services/sheets';
import { startHost, type Host } from '../n8n/hosts';
import type { Mailbox } from '../n8n/mailbox';
import type { Simulator } from '../simulator';
import { DEMO_PERSON } from './example';

/** What a person watches, all of it on this machine. */
export interface Watched {
	simulator: Simulator;
	services: PlayedServices;
	mailbox: Mailbox;
	/** Each with the name in n8n of the recipe that reads it. */
	sheets: ReadonlyArray<{ recipe: string; sheet: Spreadsheet }>;
	/** What the recipes of the demo have where their notes ask for a person's own. */
	filledIn: Readonly<Record<string, string>>;
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
		response.writeHead(303, { location: '/' }).end();
		return;
	}
	const { drive, youTube } = watched.services;
	const file = [...drive.files, ...youTube.videos].find(({ id }) => pathname === `/file/${id}`);
	response.setHeader('content-type', file?.mimeType ?? 'text/html; charset=utf-8');
	response.end(file?.bytes ?? (pathname === '/state' ? statePage(watched) : page(watched)));
}

/** What the forms of the page do. */
async function act({ services, sheets }: Watched, action: string, form: URLSearchParams) {
	const said = form.get('text') ?? '';
	const sheet = sheets[Number(form.get('sheet'))]?.sheet;
	if (action === '/row') sheet?.add({ prompt: said, title: said.slice(0, 60), status: 'open' });
	const status = form.get('status') ?? '';
	if (action === '/status') sheet?.write(Number(form.get('row')) - 1, { status });
	if (action !== '/say') return;
	if (!services.telegram.isHeard) throw new Error('Publish the Telegram recipe in n8n first.');
	await services.telegram.say({ from: DEMO_PERSON, text: said });
}

const HEAD = '<!DOCTYPE html><body style="font-family: sans-serif; margin: 1em">';
const TEXT = '<input name="text" size="50" required>';

function page({ sheets }: Watched): string {
	const options = sheets.map(({ recipe }, index) => `<option value="${index}">${escaped(recipe)}`);
	const sheet = `the sheet for <select name="sheet">${options.join('')}</select>`;
	return `${HEAD}<title>Demo: what happens</title>
<h1>What happens in the demo</h1>
<p>Nothing is paid here. Each row under Creates is one create, which a real provider would charge for once it accepts it:
“answered 400” was not accepted, and most do not charge for “failed”. Practice credentials send nothing, so they do not appear.</p>
<form method="post" action="/row">A new row in ${sheet}: ${TEXT} <button>Add</button></form>
<form method="post" action="/status">In ${sheet}, row (1 is the first below the titles)
<input name="row" type="number" min="1" required> gets the status
<select name="status"><option>open<option>creating</select> <button>Set</button></form>
<form method="post" action="/say">A message to the Telegram bot: ${TEXT} <button>Send</button></form>
<iframe src="/state" title="State" style="width: 100%; height: 80vh; border: 0"></iframe>`;
}

function statePage(watched: Watched): string {
	const sections = Object.entries(stateOf(watched)).map(
		([title, rows]) => `<h2>${linked(title)}</h2>${table(rows)}`,
	);
	return `${HEAD}<title>State</title><meta http-equiv="refresh" content="3">
<base target="_blank">${sections.join('\n')}`;
}

type Row = Readonly<Record<string, unknown>>;

/** Rows by the titles of their tables. */
function stateOf({
	simulator,
	services,
	mailbox,
	sheets,
	filledIn,
}: Watched): Record<string, Row[]> {
	const { drive, youTube, slack, telegram } = services;
	const tables = sheets.map(({ recipe, sheet }) => [
		`The link of your sheet, in Settings of ${recipe}: ${sheet.link}`,
		sheet.records(),
	]);
	return {
		Creates: simulator.creates().map(({ prompt, at, taskId = '', status, headers }) => ({
			prompt,
			time: new Date(at).toLocaleTimeString('en-GB'),
			status: simulator.tasks.get(taskId)?.status() ?? `answered ${status ?? 'nothing'}`,
			'task ID': taskId,
			key: headers['idempotency-key'],
		})),
		...Object.fromEntries(tables),
		'Google Drive': drive.files.map(({ id, name }) => ({ name, file: `/file/${id}` })),
		YouTube: youTube.videos.map(({ id, title, privacyStatus }) => {
			return { title, privacyStatus, file: `/file/${id}` };
		}),
		Slack: slack.messages.map(({ channel, text: said, buttons }) => {
			const named = Object.entries(buttons).map(([label, url]) => `${label}: ${url}`);
			return { channel, said, buttons: named.join('\n') };
		}),
		Telegram: telegram.messages.map(({ text: said, video }) => {
			return { said, video: video && `${video.length} bytes` };
		}),
		Emails: mailbox.mails
			.map(({ subject, text: said, html }) => ({ subject, said, html }))
			.reverse(),
		'Filled in where the notes ask for your own': Object.entries(filledIn).map(([name, value]) => ({
			name,
			value,
		})),
	};
}

const CELL = '<td style="border: 1px solid #ccc; padding: 4px; white-space: pre-line">';

function table(rows: Row[]): string {
	const line = (cells: string[]) => `<tr>${cells.map((cell) => CELL + cell).join('')}`;
	const [first] = rows;
	if (first === undefined) return 'Nothing yet';
	const lines = rows.map((row) => line(Object.entries(row).map(cellOf)));
	return `<table>${[line(Object.keys(first).map(escaped)), ...lines].join('\n')}</table>`;
}

const cellOf = ([name, value]: [string, unknown]): string =>
	name === 'html' && value
		? `<iframe srcdoc="${escaped(String(value))}" style="width: 40em; height: 20em"></iframe>`
		: linked(String(value ?? ''));

/** Links end before the bracket in which a mail shows them. */
const LINK = /(?:https?:\/|\/file)\/[^\s\])]+/g;
/** A file of the played services, which opens here. */
const PLAYED_FILE =
	/^https:\/\/(?:drive\.google\.com\/file\/d\/|www\.youtube\.com\/watch\?v=)([^/&]+)/;
const IS_HERE = /^(?:\/|http:\/\/(?:localhost|127\.0\.0\.1)\b)/;

/** Links to what runs here; the others are examples, and lead nowhere. */
const linked = (given: string): string =>
	escaped(given).replace(LINK, (url) => {
		const [, file] = PLAYED_FILE.exec(url) ?? [];
		const target = file === undefined ? url : `/file/${file}`;
		return IS_HERE.test(target) ? `<a href="${target}">${url}</a>` : `${url} <i>(example)</i>`;
	});

const escaped = (given: string): string =>
	given.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
