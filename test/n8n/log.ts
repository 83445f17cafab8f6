import { readFile } from 'node:fs/promises';
import { pollUntil } from './poll';

const LOG_TIMEOUT_MS = 60_000;

/** What a process has printed. */
export interface LogReader {
	log(): Promise<string>;
	/** Resolves when the log holds the text, or something that fits the pattern. */
	waitForLog(wanted: string | RegExp): Promise<void>;
}

export function logReader(file: string): LogReader {
	const log = async () => await readFile(file, 'utf8');
	const waitForLog = async (wanted: string | RegExp) => {
		const check = async () => (holds(await log(), wanted) ? true : undefined);
		await pollUntil(check, { what: `"${wanted}" in a log`, timeoutMs: LOG_TIMEOUT_MS });
	};
	return { log, waitForLog };
}

const holds = (text: string, wanted: string | RegExp): boolean =>
	typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
