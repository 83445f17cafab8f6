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
