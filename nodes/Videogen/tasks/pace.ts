import { Semaphore } from '../common/semaphore';

/** How many requests may be under way at once: half as many after 429, one more after each answer. */
export class Pace {
	readonly places: Semaphore;

	/** Of the full pace, from one request at once to all of them. */
	private share: number;

	constructor(
		private readonly maxAtOnce: number,
		firstAtOnce = maxAtOnce,
	) {
		this.share = firstAtOnce / maxAtOnce;
		this.places = new Semaphore(firstAtOnce);
	}

	/** By how much everything is to take longer than usual; 1 at the full pace. */
	get slowdown(): number {
		return 1 / this.share;
	}

	faster(): void {
		this.setShare(this.share + 1 / this.maxAtOnce);
	}

	slower(): void {
		this.setShare(this.share / 2);
	}

	private setShare(share: number): void {
		this.share = Math.min(1, Math.max(1 / this.maxAtOnce, share));
		this.places.resize(Math.max(1, Math.floor(this.maxAtOnce * this.share)));
	}
}
