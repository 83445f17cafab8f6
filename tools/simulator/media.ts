import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationRequest } from './contract';
import { Journal } from './journal';
import type { Options } from './options';
import type { SimulatedTask } from './tasks';

const TIMEOUT_MS = 30_000;
/** Of an image that came in the request, only the beginning is written down. */
const MAX_URL_CHARACTERS = 8_192;

/** The lists of a create that name files, in the order in which they are reported. */
const MEDIA_FIELDS = ['image_urls', 'video_urls', 'audio_urls'] as const;

type MediaField = (typeof MEDIA_FIELDS)[number];

/** Image types as seen in the field; of videos and audios no list is known. */
const FITTING_TYPES: Record<MediaField, RegExp> = {
	image_urls: /^image\/(?:jpeg|png|webp)$/,
	video_urls: /^video\/./,
	audio_urls: /^audio\/./,
};

/** What such images begin with, in hex: a type that is only claimed is no help. */
const IMAGE_BEGINNINGS = /^(?:89504e47|ffd8ff|52494646.{8}57454250)/;

/** How a fetch ended and what came; nothing of the file is kept. */
interface FetchOutcome {
	/**
	 * `skipped`: not on this machine, so nothing was sent there. `wrongType`: it was fetched whole,
	 * but its content type or its bytes do not fit its list. `inline`: it fits, and came in the request.
	 */
	outcome: 'fetched' | 'inline' | 'failed' | 'skipped' | 'wrongType';
	contentType?: string;
	/** In hex. */
	sha256?: string;
}

/** One file that a create named, written down when its fetch is over. */
export interface FetchedMedia extends FetchOutcome {
	taskId: string;
	field: MediaField;
	/** Place in its list, counted from 0. */
	index: number;
	url: string;
}

type NamedMedia = Pick<FetchedMedia, 'field' | 'index' | 'url'>;

const urlsIn = (request: GenerationRequest, field: MediaField): string[] => {
	const urls: unknown = Object.entries(request).find(([name]) => name === field)?.[1];
	return Array.isArray(urls) ? urls.map(String) : [];
};

const namedIn = (request: GenerationRequest): NamedMedia[] =>
	MEDIA_FIELDS.flatMap((field) =>
		urlsIn(request, field).map((url, index) => ({ field, index, url })),
	);

/** In the order of the request, whichever came first. */
export const inRequestOrder = (media: FetchedMedia[]): FetchedMedia[] =>
	[...media].sort(
		(a, b) => MEDIA_FIELDS.indexOf(a.field) - MEDIA_FIELDS.indexOf(b.field) || a.index - b.index,
	);

/** Only what surely stays on this machine: other names would have to be asked from a server. */
const isLoopback = (hostname: string): boolean =>
	hostname === 'localhost' ||
	hostname === '[::1]' ||
	(isIPv4(hostname) && hostname.startsWith('127.'));

/** Fetches a file as a service would: without any key, and for its digest only. */
async function fetchFile({ field, url }: NamedMedia, signal: AbortSignal): Promise<FetchOutcome> {
	const [, inlineType, data = ''] = INLINE.exec(url) ?? [];
	if (inlineType) return judged(field, inlineType, Buffer.from(data, 'base64'), 'inline');
	if (!isLoopback(new URL(url).hostname)) return { outcome: 'skipped' };
	// A redirect might lead away from this machine.
	const response = await fetch(url, { redirect: 'error', signal });
	const contentType = response.headers.get('content-type') ?? '';
	const body = Buffer.from(await response.arrayBuffer());
	if (!response.ok) return { outcome: 'failed', contentType };
	return judged(field, contentType, body, 'fetched');
}

const INLINE = /^data:([^;,]+);base64,(.*)$/s;

function judged(
	field: MediaField,
	contentType: string,
	body: Buffer,
	whenFitting: 'fetched' | 'inline',
): FetchOutcome {
	const sha256 = createHash('sha256').update(body).digest('hex');
	const isImage = IMAGE_BEGINNINGS.test(body.subarray(0, 12).toString('hex'));
	const fits = FITTING_TYPES[field].test(contentType.split(';')[0] ?? '');
	const outcome = fits && isImage === (field === 'image_urls') ? whenFitting : 'wrongType';
	return { outcome, contentType, sha256 };
}

/** Fetches what accepted creates name, after their answer, as a service does. */
export class MediaFetcher {
	readonly fetched = new Journal<FetchedMedia>();

	constructor(private readonly options: Options) {}

	/** Fetches what the task was given, which fails without it where the service needs it. */
	follow(task: SimulatedTask, signal: AbortSignal): void {
		for (const media of task.request ? namedIn(task.request) : []) {
			void this.fetch(task, media, signal);
		}
	}

	private async fetch(task: SimulatedTask, media: NamedMedia, signal: AbortSignal): Promise<void> {
		const { mediaDelayMs } = this.options;
		await sleep(mediaDelayMs, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) return;
		const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
		const failed: FetchOutcome = { outcome: 'failed' };
		const outcome = await fetchFile(media, limit).catch(() => failed);
		if (signal.aborted) return;
		const url = media.url.slice(0, MAX_URL_CHARACTERS);
		this.fetched.add({ taskId: task.id, ...media, url, ...outcome });
		if (this.options.needsMedia && !['fetched', 'inline'].includes(outcome.outcome)) {
			const message = `The file could not be opened: ${url}`;
			task.fail({ code: 'image_processing_error', message });
		}
	}
}
