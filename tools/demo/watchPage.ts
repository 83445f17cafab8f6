/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { text } from 'node:stream/consumers';
import { BOT_PERSON, type PlayedServices } from '../mock-services';
import type { Spreadsheet } from '../mock-services/sheets';
import { startHost, type Host } from '../n8n/hosts';
import type { Simulator } from '../simulator';

/** What a person watches, all of it on this machine. */
export interface Watched {
	simulator: Simulator;
	services: PlayedServices;
	/** By the names of the recipes that read them. */
	sheets: ReadonlyMap<string, Spreadsheet>;
}

/**
 * A page that shows what was created, and the played sheets, drive, channels and chat; a person adds
 * rows there, and writes to the bot.
 */
export const startWatchPage = async (watched: Watched, port: number): Promise<Host> =>
	await startHost(async (request, response) => {
		if (request.method === 'POST') {
			await write(watched, new URLSearchParams(await text(request)));
			response.writeHead(303, { location: '/' }).end();
			return;
		}
		const { drive, youTube } = watched.services;
		const file = [...drive.files, ...youTube.videos].find(
			({ id }) => request.url === `/file/${id}`,
		);
		response.setHeader('content-type', file?.mimeType ?? 'text/html; charset=utf-8');
		response.end(file?.bytes ?? (request.url === '/state' ? statePage(watched) : page(watched)));
	}, port);

/** What the forms of the page do. */
async function write({ sheets, services }: Watched, form: URLSearchParams): Promise<void> {
	const said = form.get('text') ?? '';
	const sheet = sheets.get(form.get('to') ?? '');
	if (form.has('row')) sheet?.reopen(Number(form.get('row')) - 1);
	else if (sheet) sheet.rows.push({ prompt: said, title: said.slice(0, 60), status: 'open' });
	else await services.telegram.say({ from: BOT_PERSON, text: said });
}

const HEAD = '<!DOCTYPE html><body style="font-family: sans-serif; margin: 1em">';

function page({ sheets }: Watched): string {
	const options = [...sheets.keys()].map(
		(recipe) => `<option value="${recipe}">sheet of ${recipe}`,
	);
	const sheet = `<select name="to">${options.join('')}`;
	return `${HEAD}<title>Demo: what happens</title>
<h1>What happens in the demo</h1>
<p>Nothing is paid here. Each row under Creates is one create, which a real provider would charge for once it accepts it:
“answered 400” was not accepted, and most do not charge for “failed”. Practice credentials send nothing, so they do not appear.</p>
<form method="post">Add a prompt to the ${sheet}<option>Telegram bot</select>
<input name="text" size="50" required> <button>Add</button></form>
<form method="post">Write open into row <input name="row" type="number" min="1" required> of the ${sheet}</select> <button>Write</button></form>
<iframe src="/state" title="State" style="width: 100%; height: 80vh; border: 0"></iframe>`;
}

function statePage(watched: Watched): string {
	const sections = Object.entries(stateOf(watched)).map(
		([title, rows]) => `<h2>${title}</h2>${table(rows)}`,
	);
	return `${HEAD}<title>State</title><meta http-equiv="refresh" content="3">
<base target="_blank">${sections.join('\n')}`;
}

type Row = Readonly<Record<string, unknown>>;

/** Rows by the titles of their tables. */
function stateOf({ simulator, services, sheets }: Watched): Record<string, Row[]> {
	const { drive, youTube, slack, telegram } = services;
	return {
		Creates: simulator.creates().map(({ prompt, at, taskId = '', status, headers }) => ({
			prompt,
			time: new Date(at).toLocaleTimeString('en-GB'),
			status: simulator.tasks.get(taskId)?.status() ?? `answered ${status ?? 'nothing'}`,
			'task ID': taskId,
			key: headers['idempotency-key'],
		})),
		...Object.fromEntries(
			[...sheets].map(([recipe, sheet]) => [`The sheet of ${recipe}`, sheet.rows]),
		),
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
		Emails: services.mails.map(({ subject, text: said }) => ({ subject, said })).reverse(),
	};
}

const CELL = '<td style="border: 1px solid #ccc; padding: 4px; white-space: pre-line">';

function table(rows: Row[]): string {
	const line = (cells: unknown[]) =>
		`<tr>${cells.map((cell) => CELL + linked(String(cell ?? ''))).join('')}`;
	const [first] = rows;
	if (first === undefined) return 'Nothing yet';
	const names = Object.keys(first);
	const lines = [names, ...rows.map((row) => names.map((name) => row[name]))].map(line);
	return `<table>${lines.join('\n')}</table>`;
}

/** To what runs here, up to the bracket in which a mail shows it; other links are examples. */
const LINK = /(?:http:\/\/(?:localhost|127\.0\.0\.1):|(?<!\w)\/file\/)[^\s\])]+/g;

const linked = (given: string): string =>
	given
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
		.replace(LINK, (url) => `<a href="${url}">${url}</a>`);
