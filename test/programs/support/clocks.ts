import { onAbort, type Clock } from '../../../nodes/Videogen/shared/clock';
import { STALL } from '../../../nodes/Videogen/files/body';
import { MIN_TIME_MS } from '../../../nodes/Videogen/files/download';

export const turnOfEventLoop = async (): Promise<void> =>
	await new Promise((resolve) => setImmediate(resolve));

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

/** What waits for ever in small steps is to fail, not to hang. */
const MAX_SLEEPS = 200_000;

/** Far more turns of the event loop than any answer takes. */
const MAX_BUSY_TURNS = 5_000_000;

interface Sleeper {
	dueMs: number;
	wake: () => void;
}

/**
 * Time that stands still until everything has come to rest, and then jumps to the next moment
 * that something waits for. Hours pass in milliseconds, and every run is the same.
 */
export class VirtualClock implements Clock {
	private nowMs = 0;

	private sleepers: Sleeper[] = [];

	private running = false;

	/** How often it was slept since the test, or the part of one, began. */
	protected sleeps = 0;

	constructor(private readonly nextRandom: () => number = () => 0.5) {}

	now = (): number => this.nowMs;

	/** Of its own only where a test needs one. */
	date = (): number => Date.now();

	random = (): number => this.nextRandom();

	/** How many sleep at this moment; none may be left when a run is over. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		this.sleeps += 1;
		if (this.sleeps > MAX_SLEEPS) throw new Error('It sleeps again and again without end');
		await new Promise<void>((resolve) => {
			const wake = () => {
				stopListening?.();
				this.sleepers = this.sleepers.filter((one) => one !== sleeper);
				resolve();
			};
			const sleeper = { dueMs: this.nowMs + ms, wake };
			this.sleepers.push(sleeper);
			const stopListening = signal && onAbort(signal, wake);
			void this.advance();
		});
	}

	/** Waits until nothing more happens by itself. */
	async rest(): Promise<void> {
		for (let turn = 0; turn < MAX_BUSY_TURNS; turn += 1) {
			await turnOfEventLoop();
			if (this.isAtRest()) return;
		}
		throw new Error('A request is under way without end');
	}

	/** Whether nothing more will happen by itself before time goes on. */
	protected isAtRest(): boolean {
		return true;
	}

	private async advance(): Promise<void> {
		if (this.running) return;
		this.running = true;
		while (this.sleepers.length > 0) {
			// Everything that can happen at this moment happens first.
			await this.rest();
			const next = this.sleepers.reduce<Sleeper | undefined>(
				(first, one) => (first && first.dueMs <= one.dueMs ? first : one),
				undefined,
			);
			if (next === undefined) break;
			this.nowMs = Math.max(this.nowMs, next.dueMs);
			next.wake();
		}
		this.running = false;
	}
}
