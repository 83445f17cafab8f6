import { DEFAULT_MODEL_FAMILY } from '../../nodes/Videogen/contract/limits';

/** The key that a simulator started without `apiKeys` accepts. */
export const DEFAULT_API_KEY = 'sim-key-1234567890';

/** Pictures are refused above about this size in the field; of other media no limit is known. */
export const DEFAULT_MAX_MEDIA_BYTES = 30 * 1_048_576;

/** How a simulator behaves as a whole; single requests and tasks are steered with rules and plans. */
export interface SimulatorOptions {
	/** 0 takes any free port. */
	port?: number;
	apiKeys?: string[];
	/** What the three `model` values begin with. */
	modelFamily?: string;
	/** `/video` moves everything below `http://127.0.0.1:<port>/video`. */
	pathPrefix?: string;
	/** How long a task takes until it is final. */
	taskDurationMs?: number;
	/** How many videos a task makes. */
	resultCount?: number;
	/** A create is answered 429 while this many tasks are not final. */
	maxUnfinishedTasks?: number;
	/** A create is answered 429 when this many were accepted within the last second. */
	createsPerSecond?: number;
	/** Clock in milliseconds; everything about tasks and limits derives from it. */
	now?: () => number;
	/** Adds the fields beyond the contract that services of this kind send. */
	extraFields?: boolean;
	/** Refuses callback addresses that a public service could not or would not call. */
	rejectPrivateCallbacks?: boolean;
	/** Post a callback only for the final status, or for every status seen. */
	callbackOn?: 'final' | 'change';
	/** Pauses before a callback is sent again. */
	callbackRetryDelaysMs?: number[];
	/** How long a callback's receiver may take to answer. */
	callbackTimeoutMs?: number;
	/** A longer request body is answered 413. */
	maxBodyBytes?: number;
	/**
	 * `report` only writes down what came of the frames and references of a create; with `require`
	 * the task fails when one cannot be fetched or does not fit its list. What is skipped counts as
	 * good.
	 */
	mediaPolicy?: 'report' | 'require';
	/** Also fetches frames and references that are not on this machine; otherwise skips them. */
	fetchPublicMedia?: boolean;
	/** Of a larger frame or reference no more than this is read. */
	maxMediaBytes?: number;
	/** How long the fetch of one frame or reference may take (real time). */
	mediaTimeoutMs?: number;
}

export type ResolvedOptions = Required<SimulatorOptions>;

/** `video/` and `/video` mean the same; no prefix stays empty. */
const normalizePrefix = (prefix: string): string => {
	const path = prefix.replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `/${path}`;
};

/** Fills in the defaults; an option given as `undefined` counts as not given. */
export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
	return {
		port: options.port ?? 0,
		apiKeys: options.apiKeys ?? [DEFAULT_API_KEY],
		modelFamily: options.modelFamily ?? DEFAULT_MODEL_FAMILY,
		pathPrefix: normalizePrefix(options.pathPrefix ?? ''),
		taskDurationMs: options.taskDurationMs ?? 3_000,
		resultCount: options.resultCount ?? 1,
		maxUnfinishedTasks: options.maxUnfinishedTasks ?? Infinity,
		createsPerSecond: options.createsPerSecond ?? Infinity,
		now: options.now ?? Date.now,
		extraFields: options.extraFields ?? true,
		rejectPrivateCallbacks: options.rejectPrivateCallbacks ?? false,
		callbackOn: options.callbackOn ?? 'final',
		callbackRetryDelaysMs: options.callbackRetryDelaysMs ?? [1_000, 2_000, 4_000],
		callbackTimeoutMs: options.callbackTimeoutMs ?? 10_000,
		maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
		mediaPolicy: options.mediaPolicy ?? 'report',
		fetchPublicMedia: options.fetchPublicMedia ?? false,
		maxMediaBytes: options.maxMediaBytes ?? DEFAULT_MAX_MEDIA_BYTES,
		mediaTimeoutMs: options.mediaTimeoutMs ?? 30_000,
	};
}
