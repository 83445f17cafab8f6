import { HELP, readArguments } from './cliArguments';
import type { FetchedMedia } from './media';
import type { SimulatorOptions } from './options';
import type { RecordedRequest } from './requests';
import { FAILING_PROMPTS } from './plans';
import { type Simulator, startSimulator } from './simulator';

const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

const complain = (text: string): void => {
	process.stderr.write(`${text}\n`);
	process.exitCode = 1;
};

const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);

const line = (columns: string[], details: Array<string | undefined>): string =>
	`${columns.join('  ')}  (${details.filter((detail) => detail !== undefined).join(', ')})`;

/** Without the query, in case someone puts a key there; says whether a key came, never which. */
function describeRequest(request: RecordedRequest): string {
	const { at, method, path, status, headers, route } = request;
	const answer = status === undefined ? 'not answered' : String(status);
	return line(
		[clockTime(at), method, path.split('?')[0] ?? '', answer],
		[
			...(route === 'create' ? [request.taskId, request.model] : []),
			headers.authorization === undefined ? 'no key' : 'key ****',
		],
	);
}

/** Without the query, where links carry their token. */
function describeMedia({ at, field, index, url, outcome, ...media }: FetchedMedia): string {
	const { host, pathname } = new URL(url);
	const got = media.bytes === undefined ? undefined : `${media.contentType}, ${media.bytes} bytes`;
	return line(
		[clockTime(at), `${field}[${index}]`, `${host}${pathname}`, outcome],
		[media.taskId, got, media.reason],
	);
}

function greet({ baseUrl, options }: Simulator): void {
	print(`The simulator is running. Put these two values into the credential in n8n:

  Base URL  ${baseUrl}
  API Key   ${options.apiKeys.join()}

A video takes ${options.taskDurationMs / 1_000} seconds.
A prompt that contains [failed] makes a task that fails.
Press Ctrl-C to stop. Requests and fetched files are listed below.
`);
}

function stopOnSignal(simulator: Simulator): void {
	const stop = () => {
		void simulator.close().then(() => print('\nThe simulator has stopped.'));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

function explainStart(reason: unknown, port = 0): string {
	const text = String(reason);
	if (text.includes('EADDRINUSE')) {
		return (
			`Port ${port} is already in use, perhaps by another simulator. ` +
			`Stop that program, or choose another port: npm run simulator -- --port ${port + 1}`
		);
	}
	if (text.includes('EACCES')) return `Port ${port} may not be used. Choose one above 1023.`;
	return `The simulator could not start: ${text}`;
}

async function start(options: SimulatorOptions): Promise<void> {
	const simulator = await startSimulator(options);
	simulator.planTask(FAILING_PROMPTS);
	simulator.onRequestEnd((request) => print(describeRequest(request)));
	simulator.onMedia((media) => print(describeMedia(media)));
	stopOnSignal(simulator);
	greet(simulator);
}

const request = readArguments(process.argv.slice(2));
if (request.kind === 'help') {
	print(HELP);
} else if (request.kind === 'mistake') {
	complain(`${request.message}\n\n${HELP}`);
} else {
	const { options } = request;
	start(options).catch((reason: unknown) => complain(explainStart(reason, options.port)));
}
