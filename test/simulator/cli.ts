import { type CliRequest, HELP, readArguments } from './cliArguments';
import type { FetchedMedia } from './media';
import type { RecordedRequest } from './requests';
import { type Simulator, startSimulator } from './simulator';
import { systemCodeOf } from './systemCode';

const FAILING_PROMPT = /\[fail\]/i;
const MODERATION_ERROR = {
	code: 'content_policy_violation',
	message: 'The prompt was refused by the content filter.',
};

const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

const complain = (text: string): void => {
	process.stderr.write(`${text}\n`);
	process.exitCode = 1;
};

/** Says whether a key came, never which one. */
const describeKey = ({ headers }: RecordedRequest): string =>
	headers.authorization === undefined ? 'no key' : 'key ****';

const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** Without the query, in case someone puts a key there. */
function describeRequest(request: RecordedRequest): string {
	const answer = request.status === undefined ? 'not answered' : String(request.status);
	const pathname = request.path.split('?')[0];
	const parts = [clockTime(request.at), request.method, pathname, answer];
	const details = [request.route === 'create' ? request.model : undefined, describeKey(request)];
	if (request.route === 'create' && request.taskId) details.unshift(request.taskId);
	const shown = details.filter((detail) => detail !== undefined);
	return `${parts.join('  ')}  (${shown.join(', ')})`;
}

/** Without the query, where links carry their token. */
function describeMedia(media: FetchedMedia): string {
	const { host, pathname } = new URL(media.url);
	const parts = [clockTime(media.at), `${media.field}[${media.index}]`, `${host}${pathname}`];
	const got = media.bytes === undefined ? undefined : `${media.contentType}, ${media.bytes} bytes`;
	const details = [media.taskId, got, media.reason].filter((detail) => detail !== undefined);
	return `${parts.join('  ')}  ${media.outcome}  (${details.join(', ')})`;
}

function greet(simulator: Simulator, key: string): void {
	print('The simulator is running. Put these two values into the credential in n8n:');
	print('');
	print(`  Base URL  ${simulator.baseUrl}`);
	print(`  API Key   ${key}`);
	print('');
	print(`A video takes ${simulator.options.taskDurationMs / 1_000} seconds.`);
	print('A prompt that contains [fail] makes a task that fails.');
	print('Press Ctrl-C to stop. Requests and fetched files are listed below.');
	print('');
}

function stopOnSignal(simulator: Simulator): void {
	const stop = () => {
		void simulator.close().then(() => print('\nThe simulator has stopped.'));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

function explainStart(reason: unknown, port: number): string {
	switch (systemCodeOf(reason)) {
		case 'EADDRINUSE':
			return (
				`Port ${port} is already in use, perhaps by another simulator. ` +
				`Stop that program, or choose another port: npm run simulator -- --port ${port + 1}`
			);
		case 'EACCES':
			return `Port ${port} may not be used. Choose one above 1023 with --port.`;
		default:
			return `The simulator could not start: ${String(reason)}`;
	}
}

async function start({ options, port, key }: Extract<CliRequest, { kind: 'start' }>) {
	try {
		const simulator = await startSimulator(options);
		simulator.planTask({
			prompt: FAILING_PROMPT,
			times: Infinity,
			outcome: 'failed',
			error: MODERATION_ERROR,
		});
		simulator.onRequestEnd((request) => print(describeRequest(request)));
		simulator.onMedia((media) => print(describeMedia(media)));
		stopOnSignal(simulator);
		greet(simulator, key);
	} catch (reason) {
		complain(explainStart(reason, port));
	}
}

async function main(): Promise<void> {
	const request = readArguments(process.argv.slice(2));
	if (request.kind === 'help') print(HELP);
	else if (request.kind === 'mistake') complain(`${request.message}\n\n${HELP}`);
	else await start(request);
}

void main();
