/** The callbacks of a signal, and the listener that calls them. */
interface Listening {
	readonly callbacks: Set<() => void>;
	readonly listener: () => void;
}

/** One listener for each signal, because Node warns about many. */
const listeningTo = new WeakMap<AbortSignal, Listening>();

/**
 * Calls back when a signal aborts. The signal must not have aborted yet.
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const { callbacks, listener } = listeningTo.get(signal) ?? listenTo(signal);
	callbacks.add(callback);
	return () => {
		if (!callbacks.delete(callback) || callbacks.size > 0) return;
		// A time limit with a listener is kept until its time, and all that the listener knows.
		signal.removeEventListener('abort', listener);
		listeningTo.delete(signal);
	};
}

/** On Node 20, a combined signal with a listener that is not `once` is never collected. */
function listenTo(signal: AbortSignal): Listening {
	const callbacks = new Set<() => void>();
	const listener = () => {
		for (const callback of [...callbacks]) callback();
	};
	signal.addEventListener('abort', listener, { once: true });
	const listening = { callbacks, listener };
	listeningTo.set(signal, listening);
	return listening;
}

/**
 * Resolves to the result of `work`, unless the signal aborts first. The work itself is not stopped.
 * @throws as soon as the signal aborts
 */
export async function unlessStopped<Value>(end: AbortSignal, work: () => Promise<Value>) {
	end.throwIfAborted();
	return await new Promise<Value>((resolve, reject) => {
		const stopListening = onAbort(end, () => reject(new Error('Stopped')));
		void work().then(resolve, reject).finally(stopListening);
	});
}

/**
 * The reason with which signals abort. Without one, Node makes an error whose stack keeps n8n's
 * context, and with it all input of an ended execution, for as long as anyone has the signal.
 */
export const ENDED = 'ended';

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
			const wake = () => {
				stopListening();
				// A timer with a listener would keep what it wakes until its time.
				due.removeEventListener('abort', wake);
				resolve();
			};
			const stopListening = onAbort(signal, wake);
			due.addEventListener('abort', wake);
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

	/** A signal that aborts at this moment, or with the timer's own signal. */
	signalAt(dueAt: number): AbortSignal {
		if (dueAt === Infinity || this.signal.aborted) return this.signal;
		const due = new AbortController();
		const unlink = onAbort(this.signal, () => due.abort(ENDED));
		void this.until(dueAt).then(() => {
			unlink();
			due.abort(ENDED);
		});
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
