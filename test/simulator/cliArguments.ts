import { parseArgs } from 'node:util';
import { DEFAULT_API_KEY, DEFAULT_MAX_MEDIA_BYTES, type SimulatorOptions } from './options';
import { systemCodeOf } from './systemCode';

const DEFAULT_PORT = 4010;
const DEFAULT_TASK_SECONDS = 20;
const MAX_PORT = 65_535;
const BYTES_PER_MB = 1_048_576;
const DEFAULT_MEDIA_MB = DEFAULT_MAX_MEDIA_BYTES / BYTES_PER_MB;

export const HELP = `Starts a simulator of the video generation service on this computer.

  npm run simulator -- [options]

  --port <number>               port to listen on (default ${DEFAULT_PORT})
  --key <text>                  API key to accept (default ${DEFAULT_API_KEY})
  --task-seconds <number>       how long a video takes (default ${DEFAULT_TASK_SECONDS})
  --max-unfinished <number>     how many videos may be in the making at once (default: no limit)
  --creates-per-second <number> how many videos may be ordered per second (default: no limit)
  --require-media               makes a task fail when a frame or reference cannot be fetched
  --fetch-public-media          fetches frames and references from the internet too (default:
                                only from this computer)
  --max-media-mb <number>       how large a frame or reference may be (default ${DEFAULT_MEDIA_MB})
  --help                        shows this text

A prompt that contains [fail] makes a task that fails.`;

/** What the command line asks for, or what is wrong with it in plain words. */
export type CliRequest =
	| { kind: 'help' }
	| { kind: 'mistake'; message: string }
	| { kind: 'start'; options: SimulatorOptions; port: number; key: string };

/** Raised for a value that cannot be used; its message is shown to the user as it is. */
class ArgumentMistake extends Error {
	override name = 'ArgumentMistake';
}

interface NumberRule {
	min: number;
	max?: number;
	isWhole?: boolean;
}

function numberFrom(flag: string, text: string | undefined, rule: NumberRule): number | undefined {
	if (text === undefined) return undefined;
	const { min, max = Infinity, isWhole = false } = rule;
	const value = text.trim() === '' ? NaN : Number(text);
	if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
	const range = max === Infinity ? `${min} or more` : `${min} to ${max}`;
	const what = isWhole ? 'a whole number' : 'a number';
	throw new ArgumentMistake(`--${flag} must be ${what}, ${range}. You gave: ${text}`);
}

/** The key goes into an HTTP header, which cannot carry blanks or line breaks here. */
function keyFrom(text: string): string {
	if (/^[\x21-\x7e]+$/.test(text)) return text;
	throw new ArgumentMistake('--key must be letters, digits and signs without spaces.');
}

const FLAGS = {
	port: { type: 'string' },
	key: { type: 'string', default: DEFAULT_API_KEY },
	'task-seconds': { type: 'string' },
	'max-unfinished': { type: 'string' },
	'creates-per-second': { type: 'string' },
	'require-media': { type: 'boolean' },
	'fetch-public-media': { type: 'boolean' },
	'max-media-mb': { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

function interpret(args: string[]): CliRequest {
	const { values } = parseArgs({ args, options: FLAGS });
	if (values.help) return { kind: 'help' };
	const whole = { min: 1, isWhole: true };
	const port =
		numberFrom('port', values.port, { min: 0, max: MAX_PORT, isWhole: true }) ?? DEFAULT_PORT;
	const taskSeconds =
		numberFrom('task-seconds', values['task-seconds'], { min: 0 }) ?? DEFAULT_TASK_SECONDS;
	const mediaMb = numberFrom('max-media-mb', values['max-media-mb'], { min: 0 });
	const key = keyFrom(values.key);
	const options: SimulatorOptions = {
		port,
		apiKeys: [key],
		taskDurationMs: taskSeconds * 1_000,
		maxUnfinishedTasks: numberFrom('max-unfinished', values['max-unfinished'], whole),
		createsPerSecond: numberFrom('creates-per-second', values['creates-per-second'], whole),
		mediaPolicy: values['require-media'] ? 'require' : undefined,
		fetchPublicMedia: values['fetch-public-media'],
		maxMediaBytes: mediaMb === undefined ? undefined : mediaMb * BYTES_PER_MB,
	};
	return { kind: 'start', options, port, key };
}

/** Node prints its own class name and code first, which says nothing to a user. */
const withoutName = (text: string): string => text.replace(/^TypeError[^:]*: /, '');

/** What to tell the user, when `reason` is about what they typed. */
function mistakeIn(reason: unknown): string | undefined {
	if (reason instanceof ArgumentMistake) return reason.message;
	return systemCodeOf(reason)?.startsWith('ERR_PARSE_ARGS')
		? withoutName(String(reason))
		: undefined;
}

/** Reads the command line; never throws for what a user typed. */
export function readArguments(args: string[]): CliRequest {
	try {
		return interpret(args);
	} catch (reason) {
		const message = mistakeIn(reason);
		if (message === undefined) throw reason;
		return { kind: 'mistake', message };
	}
}
