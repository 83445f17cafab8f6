import { parseArgs } from 'node:util';
import type { FetchedMedia } from './media';
import { DEFAULT_API_KEY } from './options';
import type { RecordedRequest } from './requests';
import { startSimulator } from './simulator';

const HELP = `Starts a simulator of the video generation service on this computer.

  npm run simulator -- [options]

  --port <number>          port to listen on (default 4010)
  --task-seconds <number>  how long a video takes (default 20)
  --help                   shows this text`;

const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

const clockTime = (): string => new Date().toTimeString().slice(0, 8);

/** Without the query, in case someone puts a key there; says whether a key came, never which. */
function printRequest({ method, path, status, headers, taskId, model }: RecordedRequest): void {
	const answer = status === undefined ? 'not answered' : String(status);
	const key = headers.authorization === undefined ? 'no key' : 'key ****';
	const details = [taskId, model, key].filter((detail) => detail !== undefined).join(', ');
	print(`${clockTime()}  ${method}  ${path.split('?')[0]}  ${answer}  (${details})`);
}

/** Without the query, where links carry their token. */
function printMedia({ field, index, url, outcome, reason, taskId }: FetchedMedia): void {
	const { host, pathname } = new URL(url);
	const details = [taskId, reason].filter((detail) => detail !== undefined).join(', ');
	print(`${clockTime()}  ${field}[${index}]  ${host}${pathname}  ${outcome}  (${details})`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'task-seconds': { type: 'string', default: '20' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return print(HELP);
	const seconds = Number(values['task-seconds']);
	if (!(seconds >= 0)) throw new Error('--task-seconds must be a number');
	const simulator = await startSimulator({
		port: Number(values.port),
		taskDurationMs: seconds * 1_000,
	});
	simulator.playWords();
	simulator.onRequestEnd(printRequest);
	simulator.onMedia(printMedia);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.close());
	}
	print(`The simulator is running. Put these two values into the credential in n8n:

  Base URL  ${simulator.baseUrl}
  API Key   ${DEFAULT_API_KEY}

A video takes ${seconds} seconds.
Words in a prompt test problems: [refused], [failed].
Press Ctrl-C to stop. Requests and fetched files are listed below.
`);
}

main().catch((error: unknown) => {
	// Taken ports and wrong options say for themselves what is wrong.
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}\n`);
	process.exitCode = 1;
});
