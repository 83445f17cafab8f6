import type { Clock } from '../common/timer';

/** Forged callbacks cost no more than one look in this time. */
const MIN_GAP_MS = 1_000;

/** More rests than this do not end within the moment that n8n takes to resume an execution. */
const MAX_REMEMBERED = 1_000;

const NEVER = new AbortController().signal;

/** What a look after the tasks of a rest came to. */
export type Look = 'waiting' | 'unavailable' | 'finished';

/**
 * Lets the callbacks of a rest look after its tasks one at a time, and only one of them finish it:
 * two would make n8n 2.0.3 lose a place for executions. Callbacks that come during a look share the
 * one after it, so that the last callback is never turned away.
 */
export class CallbackGate {
	/** Looks under way, until the next may begin. */
	private readonly current = new Map<string, Promise<void>>();

	private readonly next = new Map<string, Promise<Look>>();

	private readonly finished = new Set<string>();

	constructor(readonly clock: Clock) {}

	/** @param look Not called when another callback looks in its place. */
	async pass(rest: string, look: () => Promise<Look>): Promise<Look> {
		const current = this.current.get(rest);
		if (current === undefined) return await this.look(rest, look);
		const next = this.next.get(rest) ?? this.after(current, rest, look);
		this.next.set(rest, next);
		return await next;
	}

	private async after(current: Promise<void>, rest: string, look: () => Promise<Look>) {
		await current;
		this.next.delete(rest);
		return await this.look(rest, look);
	}

	private async look(rest: string, look: () => Promise<Look>): Promise<Look> {
		if (this.finished.has(rest)) return 'finished';
		const result = look();
		const over = Promise.allSettled([result, this.clock.sleep(MIN_GAP_MS, NEVER)]);
		this.current.set(
			rest,
			over.then(() => void this.current.delete(rest)),
		);
		if ((await result) === 'finished') this.finished.add(rest);
		const [oldest = ''] = this.finished;
		if (this.finished.size > MAX_REMEMBERED) this.finished.delete(oldest);
		return await result;
	}
}
