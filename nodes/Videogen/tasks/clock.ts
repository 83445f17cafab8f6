/** Time as the waiting sees it; tests bring their own. */
export interface Clock {
	/** Milliseconds since any fixed moment. */
	now(): number;
	/** Resolves after `ms`, or soon after `signal` aborts; never rejects. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/** Evenly spread over [0, 1). */
	random(): number;
}
