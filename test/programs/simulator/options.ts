import { DEFAULT_MODEL_FAMILY } from './contract';
import type { OrderKeys } from './orderKeys';

/** The key that a simulator started without `apiKeys` accepts. */
export const DEFAULT_API_KEY = 'sim-key-1234567890';

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
	/** A create is answered 429 while this many tasks are not final. */
	maxUnfinishedTasks?: number;
	/** What that 429 asks for with `Retry-After`; nothing unless given, as nobody knows. */
	unfinishedRetryAfterSeconds?: number;
	/** A create is answered 429 when this many were accepted within the last second. */
	createsPerSecond?: number;
	/**
	 * Whether a task fails whose media cannot be opened, as at a real service. Media that are not on
	 * this machine count as such: off unless given, since tests name example URLs.
	 */
	needsMedia?: boolean;
	/** What becomes of `Idempotency-Key`; ignored unless given. */
	orderKeys?: OrderKeys;
	/** Clock in milliseconds; everything about tasks and limits derives from it. */
	now?: () => number;
	/** Pauses before a callback is sent again. */
	callbackRetryDelaysMs?: number[];
}

export type ResolvedOptions = Required<Omit<SimulatorOptions, 'unfinishedRetryAfterSeconds'>> &
	Pick<SimulatorOptions, 'unfinishedRetryAfterSeconds'>;

/** `video/` and `/video` mean the same; no prefix stays empty. */
const normalizePrefix = (prefix: string): string => {
	const path = prefix.replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `/${path}`;
};

/** Fills in the defaults; an option given as `undefined` counts as not given. */
export const resolveOptions = (options: SimulatorOptions): ResolvedOptions => ({
	port: options.port ?? 0,
	apiKeys: options.apiKeys ?? [DEFAULT_API_KEY],
	modelFamily: options.modelFamily ?? DEFAULT_MODEL_FAMILY,
	pathPrefix: normalizePrefix(options.pathPrefix ?? ''),
	taskDurationMs: options.taskDurationMs ?? 3_000,
	maxUnfinishedTasks: options.maxUnfinishedTasks ?? Infinity,
	unfinishedRetryAfterSeconds: options.unfinishedRetryAfterSeconds,
	createsPerSecond: options.createsPerSecond ?? Infinity,
	needsMedia: options.needsMedia ?? false,
	orderKeys: options.orderKeys ?? 'ignored',
	now: options.now ?? Date.now,
	callbackRetryDelaysMs: options.callbackRetryDelaysMs ?? [1_000, 2_000, 4_000],
});
