/** What is to be called for a signal, which has one listener of ours: Node warns of a leak from ten. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts, which it must not have done yet. Any number may wait for a
 * signal that lives as long as an execution.
 * @returns what ends that
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
