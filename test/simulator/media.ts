import type { GenerationRequest } from '../../nodes/Videogen/contract/request';
import { isFinal } from './lifecycle';
import { Journal } from './journal';
import { type FetchOutcome, fetchFile } from './mediaFetch';
import type { ResolvedOptions } from './options';
import type { SimulatedTask, TaskStore } from './tasks';

/** The lists of a create that name files, in the order in which they are reported. */
export const MEDIA_FIELDS = ['image_urls', 'video_urls', 'audio_urls'] as const;

export type MediaField = (typeof MEDIA_FIELDS)[number];

/** One file that a create named, written down when its fetch is over. */
export interface FetchedMedia extends Omit<FetchOutcome, 'outcome'> {
	/** Milliseconds of the simulator's clock, when the fetch was over. */
	at: number;
	taskId: string;
	field: MediaField;
	/** Place in its list, counted from 0. */
	index: number;
	url: string;
	/** `wrongType`: it was fetched whole, but its content type does not fit its list. */
	outcome: FetchOutcome['outcome'] | 'wrongType';
}

type NamedMedia = Pick<FetchedMedia, 'field' | 'index' | 'url'>;

/** Pictures as seen in the field; of videos and audios no list is known. */
const FITTING_TYPES: Record<MediaField, RegExp> = {
	image_urls: /^image\/(?:jpeg|png|webp)$/,
	video_urls: /^video\/./,
	audio_urls: /^audio\/./,
};

const PROCESSING_ERROR = 'image_processing_error';

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

/** The outcome, unless a whole file is of a type that its list does not take. */
function judge(field: MediaField, outcome: FetchOutcome): Pick<FetchedMedia, keyof FetchOutcome> {
	const type = outcome.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	if (outcome.outcome !== 'fetched' || FITTING_TYPES[field].test(type)) return outcome;
	const given = type === '' ? 'no content type' : `the content type ${type}`;
	return { ...outcome, outcome: 'wrongType', reason: `It has ${given}` };
}

/** What is skipped was not looked at, so nothing is held against it. */
const isObjectionable = ({ outcome }: FetchedMedia): boolean =>
	outcome !== 'fetched' && outcome !== 'skipped';

/** As services write it, with the whole address: clients must not pass it on unread. */
const objectionTo = ({ field, index, url, reason }: FetchedMedia) => ({
	code: PROCESSING_ERROR,
	message: `Could not process ${field}[${index}] ${url}: ${reason}`,
});

/** Fetches what accepted creates name, after their answer, as a service does. */
export class MediaFetcher {
	readonly fetched = new Journal<FetchedMedia>();
	private lifetime = new AbortController();

	constructor(
		private readonly options: ResolvedOptions,
		private readonly tasks: TaskStore,
	) {}

	/** Fetches what the task was given; by the `require` policy it fails when that is no use. */
	follow(task: SimulatedTask): void {
		const named = task.request ? namedIn(task.request) : [];
		if (named.length === 0) return;
		const { signal } = this.lifetime;
		const isRequired = this.options.mediaPolicy === 'require';
		if (isRequired) this.tasks.hold(task.id);
		const fetches = named.map(async (media) => await this.fetch(task.id, media, signal));
		void Promise.all(fetches).then((media) => {
			if (isRequired && !signal.aborted) this.settle(task, media);
		});
	}

	/** Drops every fetch under way; none of them is written down. */
	stop(): void {
		this.lifetime.abort();
		this.lifetime = new AbortController();
	}

	/** A task that a test made final stays as it is. */
	private settle(task: SimulatedTask, media: FetchedMedia[]): void {
		const bad = media.find(isObjectionable);
		if (bad && !isFinal(task.status())) {
			this.tasks.setStatus(task.id, 'failed', { error: objectionTo(bad) });
		}
		this.tasks.release(task.id);
	}

	private async fetch(
		taskId: string,
		media: NamedMedia,
		signal: AbortSignal,
	): Promise<FetchedMedia> {
		const { mediaTimeoutMs, maxMediaBytes: maxBytes, fetchPublicMedia } = this.options;
		const limit = AbortSignal.timeout(mediaTimeoutMs);
		const limits = {
			maxBytes,
			isPublicAllowed: fetchPublicMedia,
			signal: AbortSignal.any([signal, limit]),
		};
		const outcome = judge(media.field, await fetchFile(media.url, limits));
		const fetched = { at: this.options.now(), taskId, ...media, ...outcome };
		if (limit.aborted && outcome.outcome === 'failed') {
			fetched.reason = `It took longer than ${mediaTimeoutMs} ms`;
		}
		if (!signal.aborted) this.fetched.add(fetched);
		return fetched;
	}
}
