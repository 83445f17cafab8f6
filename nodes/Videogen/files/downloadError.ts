import { codesOf, errorsIn, isTooLargeForN8n } from '../shared/n8n';
import { type Failure, LABELS, messageOf } from '../shared/messages';
import { quotable, quoted } from '../shared/text';

export const MAX_FILES = 50;

const ASK_PROVIDER = 'Contact the provider about the results of this task.';
const NEW_LINK = 'Links usually expire after a day; reading the task again may give a new one.';
const TRY_LATER = 'Wait a few minutes.';

const LIMITS = `The limits are ${MAX_FILES} files, and 2 GB on disk or 512 MB in any other storage of n8n: larger ones can be downloaded by the links in the task.`;

/** Why a result is missing as a file, and what to do about it. */
export const WHYS = {
	/** Not http(s), with a login in it, or with too many redirects. */
	url: ['its URL cannot be opened', ASK_PROVIDER],
	local: [
		'its URL is local',
		`Only a provider whose '${LABELS.baseUrl}' is local may have files there.`,
	],
	notMedia: ['its URL leads to something else, such as a web page', NEW_LINK],
	text: ['its link leads to text, not to a video', NEW_LINK],
	link: ['its link does not work (status {status})', NEW_LINK],
	busy: ['its host is not available right now (status {status})', TRY_LATER],
	network: ['n8n cannot connect to its host', 'Check that n8n can reach that host.'],
	/** Also an empty body, and one that delivers nothing for too long. */
	cutOff: ['the download was interrupted', TRY_LATER],
	slow: ['it took too long', `The limit is '${LABELS.timeoutMinutes}', and at least 10 minutes.`],
	tooLarge: ['its results are too large or too many', LIMITS],
	diskFull: ['the disk of n8n is full', 'Free some space where n8n keeps its files.'],
	storage: [
		'n8n could not store it',
		'The administrator of this n8n instance can check its storage.',
	],
	stopped: ['the execution was stopped', ''],
} as const satisfies Record<string, readonly [why: string, next: string]>;

type Why = keyof typeof WHYS;

/** Reasons and statuses that may pass: hosts also answer like this while a file is not there yet. */
const MAY_PASS: Why[] = ['busy', 'network', 'cutOff', 'text'];
const MAY_COME = [403, 404];

/** Reasons for which every download would fail again. */
const LASTING: Why[] = ['url', 'local', 'tooLarge'];

/** A result that could not be saved as a file. */
export class DownloadError extends Error {
	constructor(
		readonly why: Why,
		private readonly facts: { status?: number; said?: string } = {},
		/** How long the host asks to wait. */
		readonly retryAfterMs = 0,
	) {
		super(why);
	}

	/** Whether another try may succeed. */
	get mayPass(): boolean {
		return MAY_PASS.includes(this.why) || MAY_COME.includes(this.facts.status ?? 0);
	}

	/** The failure of the item whose task has this ID. */
	failureOf(taskId: string): Failure {
		const { status = '', said } = this.facts;
		const [why, advice] = WHYS[this.why];
		const next = said ? `n8n says: ${quoted(said)} ${advice}` : advice;
		const values = { why: why.replace('{status}', String(status)), next, id: taskId };
		const name = LASTING.includes(this.why) ? 'download.linksOnly' : 'download';
		return messageOf(name, { values, kind: this.why === 'stopped' ? 'stopped' : undefined });
	}
}

/** Error codes of a full disk or quota, and of a file that is too large for its storage. */
const DISK_FULL = /ENOSPC|EDQUOT/;
const TOO_LARGE = /EFBIG|TOO_LARGE|TOO_LONG|OUT_OF_RANGE/;

/** Why n8n's storage rejected a file. */
export function storageErrorOf(thrown: unknown): DownloadError {
	const errors = errorsIn(thrown);
	const codes = errors.flatMap(codesOf).join();
	const isTooLarge = errors.some(isTooLargeForN8n) || TOO_LARGE.test(codes);
	const other = isTooLarge ? 'tooLarge' : 'storage';
	return new DownloadError(DISK_FULL.test(codes) ? 'diskFull' : other, { said: saidBy(thrown) });
}

/** Why a host gave no answer. */
export const networkErrorOf = (thrown: unknown): DownloadError =>
	thrown instanceof DownloadError ? thrown : new DownloadError('network', { said: saidBy(thrown) });

const saidBy = (thrown: unknown): string | undefined =>
	thrown instanceof Error ? quotable(thrown.message) : undefined;
