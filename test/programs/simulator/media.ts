import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { GenerationRequest } from './contract';
import { Journal } from './journal';
import type { Options } from './options';
import type { SimulatedTask } from './tasks';

const TIMEOUT_MS = 30_000;

/** The lists of a create that name files, in the order in which they are reported. */
const MEDIA_FIELDS = ['image_urls', 'video_urls', 'audio_urls'] as const;

type MediaField = (typeof MEDIA_FIELDS)[number];

/** Image types as seen in the field; of videos and audios no list is known. */
const FITTING_TYPES: Record<MediaField, RegExp> = {
	image_urls: /^image\/(?:jpeg|png|webp)$/,
	video_urls: /^video\/./,
	audio_urls: /^audio\/./,
};

/** How a fetch ended and what came; nothing of the file is kept. */
interface FetchOutcome {
	/**
	 * `skipped`: not on this machine, so nothing was sent there. `wrongType`: it was fetched whole,
	 * but its content type does not fit its list.
	 */
	outcome: 'fetched' | 'failed' | 'skipped' | 'wrongType';
	contentType?: string;
	/** In hex. */
	sha256?: string;
	/** Why there is no file. */
	reason?: string;
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

/** What lies behind the words "fetch failed". */
const causeOf = (reason: unknown): string =>
	String((reason instanceof Error && reason.cause) || reason);

/** Fetches a file as a service would: without any key, and for its digest only. */
async function fetchFile({ field, url }: NamedMedia, signal: AbortSignal): Promise<FetchOutcome> {
	if (!isLoopback(new URL(url).hostname)) return { outcome: 'skipped' };
	// A redirect might lead away from this machine.
	const response = await fetch(url, { redirect: 'error', signal });
	const contentType = response.headers.get('content-type') ?? '';
	const body = Buffer.from(await response.arrayBuffer());
	if (!response.ok) return { outcome: 'failed', contentType, reason: `Status ${response.status}` };
	const sha256 = createHash('sha256').update(body).digest('hex');
	const fits = FITTING_TYPES[field].test(contentType.split(';')[0] ?? '');
	return { outcome: fits ? 'fetched' : 'wrongType', contentType, sha256 };
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
		const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
		const outcome = await fetchFile(media, limit).catch((reason: unknown): FetchOutcome => ({
			outcome: 'failed',
			reason: causeOf(reason),
		}));
		if (signal.aborted) return;
		this.fetched.add({ taskId: task.id, ...media, ...outcome });
		if (this.options.needsMedia && outcome.outcome !== 'fetched') {
			const message = `The file could not be opened: ${media.url}`;
			task.fail({ code: 'image_processing_error', message });
		}
	}
}
