import { DEFAULT_MODEL_FAMILY } from './contract';

/** The key that a simulator started without `apiKeys` accepts. */
export const DEFAULT_API_KEY = 'sim-key-1234567890';

/** How a simulator behaves as a whole; single requests and tasks are steered with rules and plans. */
export interface Options {
	/** 0 takes any free port. */
	port: number;
	/** Its origin for others than this machine: then it listens for them, too. Empty for none. */
	origin: string;
	apiKeys: string[];
	/** What the three `model` values begin with. */
	modelFamily: string;
	/** `/video` moves everything below `http://127.0.0.1:<port>/video`; empty for none. */
	pathPrefix: string;
	/** How long a task takes until it is final. */
	taskDurationMs: number;
	/**
	 * Whether a task fails whose media cannot be opened, as at a real service. Media that are not on
	 * this machine count as such: off unless given, since tests name example URLs.
	 */
	needsMedia: boolean;
	/** Whether it takes images inside a request, as `data:` URIs. */
	takesInline: boolean;
	/** How long after a create its media are fetched, in real time: a service has a queue. */
	mediaDelayMs: number;
	/** Clock in milliseconds; everything about tasks derives from it. */
	now: () => number;
}

export type SimulatorOptions = Partial<Options>;

export const DEFAULTS: Options = {
	port: 0,
	origin: '',
	apiKeys: [DEFAULT_API_KEY],
	modelFamily: DEFAULT_MODEL_FAMILY,
	pathPrefix: '',
	taskDurationMs: 3_000,
	needsMedia: false,
	takesInline: true,
	mediaDelayMs: 0,
	now: Date.now,
};
