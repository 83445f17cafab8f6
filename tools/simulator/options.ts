/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets -- It runs in Node.js, not in n8n. */
import { DEFAULT_MODEL_FAMILY } from './contract';

/** The key that a simulator started without `apiKeys` accepts. */
export const DEFAULT_API_KEY = 'sim-key-1234567890';

/** How a simulator behaves as a whole; single requests and tasks are steered with rules and plans. */
export const DEFAULTS = {
	/** 0 takes any free port. */
	port: 0,
	apiKeys: [DEFAULT_API_KEY],
	/** What the three `model` values begin with. */
	modelFamily: DEFAULT_MODEL_FAMILY,
	/** `/video` moves everything below `http://127.0.0.1:<port>/video`; empty for none. */
	pathPrefix: '',
	/** How long a task takes until it is final. */
	taskDurationMs: 3_000,
	/**
	 * Whether a task fails whose media cannot be opened, as at a real service. Media that are not on
	 * this machine count as such: off unless given, since tests name example URLs.
	 */
	needsMedia: false,
	/** How long after a create its media are fetched, in real time: a service has a queue. */
	mediaDelayMs: 0,
	/** Clock in milliseconds; everything about tasks derives from it. */
	now: Date.now,
};

export type Options = typeof DEFAULTS;
export type SimulatorOptions = Partial<Options>;
