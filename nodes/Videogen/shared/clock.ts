/**
 * The callbacks of each signal. They share one listener, because Node warns about many listeners.
 */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts. The signal must not have aborted yet.
 * @returns a function that removes the callback
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

/** Time and randomness. Tests use a clock of their own. */
export interface Clock {
	/** Milliseconds since an arbitrary moment. */
	now(): number;
	/** Milliseconds since 1970. */
	date(): number;
	/** Resolves after `ms`, or soon after `signal` aborts; never rejects. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/** Evenly distributed over [0, 1). */
	random(): number;
}

/** The longest delay that timers support. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Real time, from the only timers that the rules of n8n Cloud allow. They keep no process alive.
 */
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

/** Waits for moments, but no longer than until a signal aborts. */
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

	/** A signal that aborts at this moment or with the timer's own signal. */
	signalAt(dueAt: number): AbortSignal {
		if (dueAt === Infinity) return this.signal;
		const due = new AbortController();
		void this.until(dueAt).then(() => due.abort());
		return due.signal;
	}
}

/**
 * The pause before the next try: one second, doubled with every try up to `maxMs`, then randomly
 * shortened by up to half so that many clients do not come back at the same moment.
 */
export function backoffMs(tries: number, maxMs: number, random: () => number): number {
	const full = Math.min(maxMs, 1_000 * 2 ** Math.max(0, tries - 1));
	return full * (0.5 + random() / 2);
}
