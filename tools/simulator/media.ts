/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationRequest } from './contract';
import { Journal } from './journal';
import type { Options } from './options';
import type { SimulatedTask } from './tasks';
import { withinTime } from '../timeLimit';

const TIMEOUT_MS = 30_000;
/** Of an image that came in the request, only the beginning is written down. */
const MAX_URL_CHARACTERS = 8_192;

/**
 * The lists of a create that name files, and the types that fit them: image types as seen in the
 * field; of videos and audios no list is known.
 */
const FITTING_TYPES = {
	image_urls: /^image\/(?:jpeg|png|webp)$/,
	video_urls: /^video\/./,
	audio_urls: /^audio\/./,
} as const;
type MediaField = keyof typeof FITTING_TYPES;
const MEDIA_FIELDS = ['image_urls', 'video_urls', 'audio_urls'] as const;

/** How a fetch ended and what came; nothing of the file is kept. */
interface FetchOutcome {
	/**
	 * `skipped`: not on this machine, so nothing was sent there. `wrongType`: it was fetched whole, but
	 * its content type does not fit its list. `inline`: it fits, and came in the request.
	 */
	outcome: 'fetched' | 'inline' | 'failed' | 'skipped' | 'wrongType';
	contentType?: string;
	/** In hex. */
	sha256?: string;
}

/** One file that a create named, written down when its fetch is over. */
interface FetchedMedia extends FetchOutcome {
	taskId: string;
	field: MediaField;
	url: string;
}

const namedIn = (request: GenerationRequest) =>
	MEDIA_FIELDS.flatMap((field) => (request[field] ?? []).map((url) => ({ field, url })));

const INLINE = /^data:([^;,]+);base64,(.*)$/s;
/** Only what surely stays on this machine: other names would have to be asked from a server. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Fetches a file as a service would: without any key, and for its digest only. */
async function fetchFile(
	field: MediaField,
	url: string,
	signal: AbortSignal,
): Promise<FetchOutcome> {
	const [, inlineType, data = ''] = INLINE.exec(url) ?? [];
	if (inlineType) return judged(field, inlineType, Buffer.from(data, 'base64'), 'inline');
	if (!LOOPBACK_NAMES.includes(new URL(url).hostname)) return { outcome: 'skipped' };
	// A redirect might lead away from this machine.
	const response = await fetch(url, { redirect: 'error', signal });
	const contentType = response.headers.get('content-type') ?? '';
	const body = Buffer.from(await response.arrayBuffer());
	if (!response.ok) return { outcome: 'failed', contentType };
	return judged(field, contentType, body, 'fetched');
}

function judged(
	field: MediaField,
	contentType: string,
	body: Buffer,
	whenFitting: 'fetched' | 'inline',
): FetchOutcome {
	const fits = FITTING_TYPES[field].test(contentType.split(';')[0] ?? '');
	const sha256 = createHash('sha256').update(body).digest('hex');
	return { outcome: fits ? whenFitting : 'wrongType', contentType, sha256 };
}

/** Fetches what accepted creates name, after their answer, as a service does. */
export class MediaFetcher {
	readonly fetched = new Journal<FetchedMedia>();

	constructor(private readonly options: Options) {}

	/** Fetches what the task was given, in its order; it fails without it where the service needs it. */
	async follow(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		const { mediaDelayMs, needsMedia } = this.options;
		await sleep(mediaDelayMs, undefined, { signal });
		for (const { field, url } of task.request ? namedIn(task.request) : []) {
			const limit = withinTime(TIMEOUT_MS, signal);
			const failed: FetchOutcome = { outcome: 'failed' };
			const outcome = await fetchFile(field, url, limit).catch(() => failed);
			signal.throwIfAborted();
			const shown = url.slice(0, MAX_URL_CHARACTERS);
			this.fetched.add({ taskId: task.id, field, url: shown, ...outcome });
			if (needsMedia && !['fetched', 'inline'].includes(outcome.outcome)) {
				const message = `The file could not be opened: ${shown}`;
				task.fail({ code: 'image_processing_error', message });
			}
		}
	}
}
