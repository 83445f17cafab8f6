import type { Clock } from '../common/timer';

/** Forged callbacks cost no more than one look in this time. */
const MIN_GAP_MS = 1_000;

/** So long n8n may take to resume an execution. */
const RESUME_MS = 10_000;

/** More callbacks than this need not be held: the look that they wait for comes anyway. */
const MAX_WAITING = 10;

/** More rests than this at once only cost a few reads more. */
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

	private readonly next = new Map<string, { look: Promise<Look>; waiting: number }>();

	private readonly finished = new Set<string>();

	/** The task by which the last look at a rest ended, to be read first by the next. */
	private readonly unfinished = new Map<string, string>();

	constructor(readonly clock: Clock) {}

	/** The tasks of a rest in the order in which they are best read. */
	inOrder(rest: string, taskIds: string[]): string[] {
		const first = this.unfinished.get(rest);
		return first === undefined ? taskIds : [first, ...taskIds.filter((id) => id !== first)];
	}

	foundUnfinished(rest: string, taskId: string): void {
		if (this.unfinished.size >= MAX_REMEMBERED) this.unfinished.clear();
		this.unfinished.set(rest, taskId);
	}

	/** @param look Not called when another callback looks in its place. */
	async pass(rest: string, look: () => Promise<Look>): Promise<Look> {
		const current = this.current.get(rest);
		if (current === undefined) return await this.look(rest, look);
		const next = this.next.get(rest) ?? { look: this.after(current, rest, look), waiting: 0 };
		this.next.set(rest, next);
		if (next.waiting >= MAX_WAITING) return 'unavailable';
		next.waiting += 1;
		return await next.look;
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
		if ((await result) === 'finished') {
			this.finished.add(rest);
			void this.clock.sleep(RESUME_MS, NEVER).then(() => this.finished.delete(rest));
		}
		return await result;
	}
}
