import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { GenerationRequest } from './contract';
import { Journal } from './journal';
import { newLifetime } from './lifetime';
import type { ResolvedOptions } from './options';
import type { SimulatedTask } from './tasks';

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

/** The lists of a create that name files, in the order in which they are reported. */
const MEDIA_FIELDS = ['image_urls', 'video_urls', 'audio_urls'] as const;

export type MediaField = (typeof MEDIA_FIELDS)[number];

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
	/** HTTP status of the last answer. */
	status?: number;
	contentType?: string;
	bytes?: number;
	/** In hex. */
	sha256?: string;
	/** Why there is no file of use. */
	reason?: string;
}

/** One file that a create named, written down when its fetch is over. */
export interface FetchedMedia extends FetchOutcome {
	/** Milliseconds of the simulator's clock, when the fetch was over. */
	at: number;
	taskId: string;
	field: MediaField;
	/** Place in its list, counted from 0. */
	index: number;
	url: string;
}

type FailingTask = SimulatedTask & { fail(error: unknown): void };

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
const isLoopback = ({ hostname }: URL): boolean =>
	hostname === 'localhost' ||
	hostname === '[::1]' ||
	(isIPv4(hostname) && hostname.startsWith('127.'));

/** What lies behind the words "fetch failed". */
const causeOf = (reason: unknown): string =>
	String(
		typeof reason === 'object' && reason !== null && 'cause' in reason ? reason.cause : reason,
	);

/** Fetches a file as a service would: without any key, and for its digest only. */
async function fetchFile(
	url: string,
	field: MediaField,
	signal: AbortSignal,
	redirectsLeft = MAX_REDIRECTS,
): Promise<FetchOutcome> {
	const address = new URL(url);
	if (!isLoopback(address)) {
		return { outcome: 'skipped', reason: `${address.hostname} is not on this machine` };
	}
	const response = await fetch(url, { redirect: 'manual', signal });
	const { status, headers } = response;
	const location = headers.get('location');
	if (status >= 300 && status < 400 && location !== null && redirectsLeft > 0) {
		await response.body?.cancel();
		return await fetchFile(new URL(location, address).href, field, signal, redirectsLeft - 1);
	}
	const contentType = headers.get('content-type') ?? '';
	if (!response.ok) {
		await response.body?.cancel();
		const reason = `Its host answered with status ${status}`;
		return { outcome: 'failed', status, contentType, reason };
	}
	const body = Buffer.from(await response.arrayBuffer());
	const sha256 = createHash('sha256').update(body).digest('hex');
	const file = { status, contentType, bytes: body.length, sha256 };
	if (FITTING_TYPES[field].test(contentType.split(';')[0] ?? ''))
		return { outcome: 'fetched', ...file };
	return { outcome: 'wrongType', ...file, reason: `It has the content type "${contentType}"` };
}

/** Fetches what accepted creates name, after their answer, as a service does. */
export class MediaFetcher {
	readonly fetched = new Journal<FetchedMedia>();
	private lifetime = newLifetime();

	constructor(private readonly options: ResolvedOptions) {}

	/** Fetches what the task was given, which fails without it where the service needs it. */
	follow(task: FailingTask): void {
		const { signal } = this.lifetime;
		for (const media of task.request ? namedIn(task.request) : []) {
			void this.fetch(task, media, signal);
		}
	}

	/** Drops every fetch under way; none of them is written down. */
	stop(): void {
		this.lifetime.abort();
		this.lifetime = newLifetime();
	}

	private async fetch(task: FailingTask, media: NamedMedia, signal: AbortSignal) {
		const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
		const outcome = await fetchFile(media.url, media.field, limit).catch(
			(reason: unknown): FetchOutcome => ({ outcome: 'failed', reason: causeOf(reason) }),
		);
		if (signal.aborted) return;
		this.fetched.add({ at: this.options.now(), taskId: task.id, ...media, ...outcome });
		if (this.options.needsMedia && outcome.outcome !== 'fetched') {
			const message = `The file could not be opened: ${media.url}`;
			task.fail({ code: 'image_processing_error', message });
		}
	}
}
