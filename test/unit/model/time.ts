import { type Clock, onAbort } from '../../../nodes/Videogen/shared/clock';
import { turnOfEventLoop } from '../../../tools/virtualClock';
import type { Random } from './random';

const START_MS = Date.UTC(2026, 10, 24);

interface Coming {
	atMs: number;
	happen(): void;
}

/** Virtual time. What comes happens one at a time, and then everything that follows from it. */
export class Time implements Clock {
	private nowMs = 0;

	private coming: Coming[] = [];

	constructor(readonly random: Random) {}

	now = (): number => this.nowMs;

	date = (): number => START_MS + this.nowMs;

	sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			const coming = { atMs: this.nowMs + ms, happen: resolve };
			this.coming.push(coming);
			if (!signal) return;
			const unlink = onAbort(signal, () => {
				this.coming = this.coming.filter((one) => one !== coming);
				resolve();
			});
			coming.happen = () => {
				unlink();
				resolve();
			};
		});
	};

	/** Takes some time, which is drawn, so that nobody knows what comes first. */
	async pass(maxMs: number): Promise<void> {
		await this.sleep(this.random() * maxMs);
	}

	/** @returns whether anything was left to happen */
	async step(): Promise<boolean> {
		if (this.coming.length === 0) await turnOfEventLoop();
		const [first, ...others] = this.coming;
		if (!first) return false;
		const next = others.reduce((soonest, one) => (one.atMs < soonest.atMs ? one : soonest), first);
		this.coming.splice(this.coming.indexOf(next), 1);
		this.nowMs = Math.max(this.nowMs, next.atMs);
		next.happen();
		await turnOfEventLoop();
		return true;
	}

	/** The processes have died, with all that they were doing. */
	clear(): void {
		this.coming = [];
	}
}
