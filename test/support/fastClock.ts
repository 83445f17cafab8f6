import { onAbort, type Clock } from '../../nodes/Videogen/shared/clock';
import { STALL } from '../../nodes/Videogen/files/body';
import { MIN_TIME_MS } from '../../nodes/Videogen/files/download';

const TIMES_AS_FAST = 4_000;

/** The longest timer that there is. */
const FOR_GOOD_MS = 2 ** 31 - 1;

/**
 * Real time, but many times as fast: what waits for seconds is over in milliseconds while real
 * HTTP goes on around it. No body stalls or comes too late in it, however slow the machine. Nothing
 * may be asserted from how long it took.
 */
export function fastClock(): Clock {
	const startMs = performance.now();
	return {
		now: () => (performance.now() - startMs) * TIMES_AS_FAST,
		date: () => Date.now(),
		random: () => 0.5,
		async sleep(ms, signal) {
			if (signal.aborted) return;
			await new Promise<void>((resolve) => {
				const wake = () => {
					clearTimeout(timer);
					stopListening();
					resolve();
				};
				const isOfDownload = ms === STALL.windowMs || ms >= MIN_TIME_MS;
				const realMs = isOfDownload ? FOR_GOOD_MS : ms / TIMES_AS_FAST;
				const timer = setTimeout(wake, realMs).unref();
				const stopListening = onAbort(signal, wake);
			});
		},
	};
}
