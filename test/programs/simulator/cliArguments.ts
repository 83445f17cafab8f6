import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DEFAULT_API_KEY, type SimulatorOptions } from './options';

export const HELP = `Starts a simulator of the video generation service on this computer.

  npm run simulator -- [options]

  --port <number>               port to listen on (default 4010)
  --key <text>                  API key to accept (default ${DEFAULT_API_KEY})
  --task-seconds <number>       how long a video takes (default 20)
  --max-unfinished <number>     how many videos may be in the making at once (default: no limit)
  --creates-per-second <number> how many videos may be ordered per second (default: no limit)
  --help                        shows this text

A prompt that contains [failed] makes a task that fails.`;

const FLAGS = {
	port: { type: 'string', default: '4010' },
	key: { type: 'string', default: DEFAULT_API_KEY },
	'task-seconds': { type: 'string', default: '20' },
	'max-unfinished': { type: 'string' },
	'creates-per-second': { type: 'string' },
	help: { type: 'boolean' },
} as const;

/** Text to number; an empty text is none. */
const number = z.string().regex(/\S/, 'Expected a number').pipe(z.coerce.number());
const count = number.pipe(z.number().int().min(1)).optional();

const valuesSchema = z
	.object({
		port: number.pipe(z.number().int().min(0).max(65_535)),
		/** It goes into an HTTP header, which cannot carry blanks or line breaks here. */
		key: z.string().regex(/^[\x21-\x7e]+$/, 'Expected letters, digits and signs without spaces'),
		'task-seconds': number.pipe(z.number().min(0)),
		'max-unfinished': count,
		'creates-per-second': count,
	})
	.transform((values) => ({
		port: values.port,
		apiKeys: [values.key],
		taskDurationMs: values['task-seconds'] * 1_000,
		maxUnfinishedTasks: values['max-unfinished'],
		createsPerSecond: values['creates-per-second'],
	}));

/** What the command line asks for, or what is wrong with it in plain words. */
export type CliRequest =
	| { kind: 'help' }
	| { kind: 'mistake'; message: string }
	| { kind: 'start'; options: SimulatorOptions };

/** Reads the command line; never throws for what a user typed. */
export function readArguments(args: string[]): CliRequest {
	try {
		const { values } = parseArgs({ args, options: FLAGS });
		if (values.help) return { kind: 'help' };
		const { data, error } = valuesSchema.safeParse(values);
		if (data) return { kind: 'start', options: data };
		const mistakes = error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
		return { kind: 'mistake', message: mistakes.join('\n') };
	} catch (reason) {
		// Node prints its own class name and code first, which says nothing to a user.
		return { kind: 'mistake', message: String(reason).replace(/^TypeError[^:]*: /, '') };
	}
}
