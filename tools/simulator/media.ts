/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationRequest } from './contract';
import { Journal } from './journal';
import type { Options } from './options';
import { sha256Of } from './sampleFiles';
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
	/** `inline`: it came in the request. `failed`: its type does not fit its list, too. */
	outcome: 'fetched' | 'inline' | 'failed';
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

const namedIn = (request?: GenerationRequest) =>
	MEDIA_FIELDS.flatMap((field) => (request?.[field] ?? []).map((url) => ({ field, url })));

/** Only what surely stays on this machine: other names would have to be asked from a server. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Fetches a file as a service would: without any key, and for its digest only. */
async function fetchFile(
	field: MediaField,
	url: string,
	signal: AbortSignal,
): Promise<FetchOutcome> {
	const { protocol, hostname } = new URL(url);
	const isInline = protocol === 'data:';
	if (!isInline && !LOOPBACK_NAMES.includes(hostname)) return FAILED;
	// A redirect might lead away from this machine.
	const response = await fetch(url, { redirect: 'error', signal });
	const contentType = response.headers.get('content-type') ?? '';
	const isFitting = FITTING_TYPES[field].test(contentType.split(';')[0] ?? '');
	if (!response.ok || !isFitting) return FAILED;
	const sha256 = sha256Of(Buffer.from(await response.arrayBuffer()));
	return { outcome: isInline ? 'inline' : 'fetched', contentType, sha256 };
}

const FAILED: FetchOutcome = { outcome: 'failed' };

/** Fetches what accepted creates name, after their answer, as a service does. */
export class MediaFetcher {
	readonly fetched = new Journal<FetchedMedia>();

	constructor(private readonly options: Options) {}

	/** Fetches what the task was given, in its order; it fails without it where the service needs it. */
	async follow(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		const { mediaDelayMs, needsMedia } = this.options;
		await sleep(mediaDelayMs, undefined, { signal });
		for (const { field, url } of namedIn(task.request)) {
			const limit = withinTime(TIMEOUT_MS, signal);
			const fetched = await fetchFile(field, url, limit).catch(() => FAILED);
			signal.throwIfAborted();
			const shown = url.slice(0, MAX_URL_CHARACTERS);
			this.fetched.add({ taskId: task.id, field, url: shown, ...fetched });
			if (needsMedia && fetched === FAILED) {
				const message = `The file could not be opened: ${shown}`;
				task.finish('failed', { code: 'image_processing_error', message });
			}
		}
	}
}
