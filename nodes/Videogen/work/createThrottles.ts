import { hashOf } from '../ground/json';
import type { Clock } from '../ground/clock';
import { Throttle } from './throttle';

/**
 * A create takes seconds and a video minutes: more at once bring no video sooner, but each that is
 * too many for the service costs a 429.
 */
export const MAX_CREATES_AT_ONCE = 10;

const LIMITS = { maxAtOnce: MAX_CREATES_AT_ONCE, growsByRounds: true, maxPauseMs: 10_000 };

/** Lets executions that use the same service and key share how fast their creates go out. */
export class CreateThrottles {
	/** By a hash that no key can be read from. */
	private readonly used = new Map<string, { throttle: Throttle; users: number }>();

	constructor(readonly clock: Clock) {}

	/** The throttle is forgotten with the end of the last work that uses it. */
	async use<T>(
		service: { baseUrl: string; apiKey: string },
		work: (throttle: Throttle) => Promise<T>,
	): Promise<T> {
		const hash = hashOf([service.baseUrl, service.apiKey]);
		const shared = this.used.get(hash) ?? { throttle: new Throttle(this.clock, LIMITS), users: 0 };
		this.used.set(hash, shared);
		shared.users += 1;
		try {
			return await work(shared.throttle);
		} finally {
			shared.users -= 1;
			if (shared.users === 0) this.used.delete(hash);
		}
	}
}
