/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { parseArgs } from 'node:util';
import { DEFAULT_API_KEY } from './options';
import type { RecordedRequest } from './requests';
import { startSimulator } from './simulator';

const HELP = `Starts a simulator of the video generation service on this computer.

  npm run simulator -- [options]

  --port <number>          port to listen on (default 4010)
  --task-seconds <number>  how long a video takes (default 20)
  --help                   shows this text`;

/** Without the query, in case someone puts a key there; says whether a key came, never which. */
function lineOf({ method, path, status, headers, taskId }: RecordedRequest): string {
	const time = new Date().toTimeString().slice(0, 8);
	const key = headers.authorization === undefined ? 'no key' : 'key ****';
	return [time, method, path.split('?')[0], status ?? 'not answered', key, taskId].join('  ');
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'task-seconds': { type: 'string', default: '20' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(HELP);
	const seconds = Number(values['task-seconds']);
	if (!(seconds >= 0)) throw new Error('--task-seconds must be a number');
	const port = Number(values.port);
	const simulator = await startSimulator({ port, taskDurationMs: seconds * 1_000 });
	simulator.playWords();
	simulator.onRequestEnd((request) => console.log(lineOf(request)));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.close());
	}
	console.log(`The simulator is running. Put these two values into the credential in n8n:

  Base URL  ${simulator.baseUrl}
  API Key   ${DEFAULT_API_KEY}

A video takes ${seconds} seconds.
Words in a prompt test problems: [refused], [failed].
Press Ctrl-C to stop. Requests are listed below.
`);
}

main().catch((error: unknown) => {
	// Taken ports and wrong options say for themselves what is wrong.
	console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
	process.exitCode = 1;
});
