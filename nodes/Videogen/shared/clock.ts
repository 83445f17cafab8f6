/** The callbacks of each signal. A signal has one listener for all of them: Node warns from ten on. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts that has not aborted yet.
 * @returns a function that takes the callback back
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = callbacksOf.get(signal) ?? listenTo(signal);
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	callbacksOf.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()));
	return callbacks;
}

/** Time and chance; tests have a clock of their own. */
export interface Clock {
	/** Milliseconds since any fixed moment. */
	now(): number;
	/** Milliseconds since 1970. */
	date(): number;
	/** Resolves after `ms`, or soon after `signal` aborts; never rejects. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/** Evenly spread over [0, 1). */
	random(): number;
}

/** The longest time of the platform's timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Real time, by the only timers that the rules of n8n's cloud allow; they keep no process alive. */
export const platformClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	random: () => Math.random(),
	sleep: async (ms, signal) =>
		await new Promise((resolve) => {
			if (signal.aborted) return resolve();
			const due = AbortSignal.timeout(Math.ceil(Math.min(Math.max(ms, 0), MAX_TIMER_MS)));
			const stopListening = onAbort(signal, resolve);
			due.addEventListener('abort', () => {
				stopListening();
				resolve();
			});
		}),
};

/** Waits for moments, and no longer than until a signal aborts. */
export class Timer {
	constructor(
		readonly clock: Clock,
		readonly signal: AbortSignal,
	) {}

	/** Resolves at this moment, or when the signal aborts. */
	async until(dueAt: number): Promise<void> {
		const ms = dueAt - this.clock.now();
		if (!this.signal.aborted && ms > 0) await this.clock.sleep(ms, this.signal);
	}

	/** A signal that aborts at this moment, or with the timer's own. */
	signalAt(dueAt: number): AbortSignal {
		if (dueAt === Infinity) return this.signal;
		const due = new AbortController();
		void this.until(dueAt).then(() => due.abort());
		return due.signal;
	}
}

/**
 * How long to wait before the next try: a second, doubled with every try up to `maxMs`, and by chance
 * up to half less, so that many clients do not come back at the same moment.
 */
export function backoffMs(tries: number, maxMs: number, random: () => number): number {
	const full = Math.min(maxMs, 1_000 * 2 ** Math.max(0, tries - 1));
	return full * (0.5 + random() / 2);
}
