/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
export const turnOfEventLoop = async (): Promise<void> =>
	await new Promise((resolve) => setImmediate(resolve));

/** What waits for ever in small steps is to fail, not to hang. */
const MAX_SLEEPS = 200_000;

/** Far more turns of the event loop than any answer takes. */
const MAX_BUSY_TURNS = 5_000_000;

interface Sleeper {
	dueMs: number;
	signal?: AbortSignal;
	wake: () => void;
}

/**
 * Time that stands still until everything has come to rest, and then jumps to the next moment
 * that something waits for. Hours pass in milliseconds, and every run is the same.
 */
export class VirtualClock {
	private nowMs = 0;

	protected sleepers: Sleeper[] = [];

	/** Thousands sleep until the same signal aborts: each has one listener. */
	private readonly heard = new WeakSet<AbortSignal>();

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
				this.sleepers = this.sleepers.filter((one) => one !== sleeper);
				resolve();
			};
			const sleeper = { dueMs: this.nowMs + ms, signal, wake };
			this.sleepers.push(sleeper);
			if (signal) this.listenTo(signal);
			void this.advance();
		});
	}

	private listenTo(signal: AbortSignal): void {
		if (this.heard.has(signal)) return;
		this.heard.add(signal);
		signal.addEventListener('abort', () => {
			for (const sleeper of this.sleepers) if (sleeper.signal === signal) sleeper.wake();
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

	/** Lets time go on by itself. */
	protected async advance(): Promise<void> {
		if (this.running) return;
		this.running = true;
		while (this.sleeping > 0) {
			// Everything that can happen at this moment happens first.
			await this.rest();
			this.jump();
		}
		this.running = false;
	}

	/** Goes on to the next moment that something waits for, if there is one. */
	protected jump(): void {
		const soonestMs = Math.min(...this.sleepers.map(({ dueMs }) => dueMs));
		const next = this.sleepers.find(({ dueMs }) => dueMs === soonestMs);
		if (!next) return;
		this.nowMs = Math.max(this.nowMs, soonestMs);
		next.wake();
	}
}
