import type { Clock } from '../common/timer';
import type { Entry } from '../tasks/entry';

/** Forged callbacks cost no more than one look in this time. */
const MIN_GAP_MS = 1_000;

/** More callbacks than this need not be held: the look that they wait for comes anyway. */
const MAX_WAITING = 10;

/** More rests than this at once only cost a few reads more. */
const MAX_REMEMBERED = 1_000;

const NEVER = new AbortController().signal;

/** What a look after the tasks of a rest came to. */
export type Look = 'waiting' | 'unavailable' | 'finished';

/** The look at a rest that was begun last, until another may begin. */
interface BegunLook {
	over: Promise<void>;
	hasFinished: boolean;
	/** For the callbacks that come during this one, and how many they are. */
	next?: Promise<Look>;
	waiting: number;
}

/**
 * Lets the callbacks of a rest look after its tasks one at a time, and only one of them finish it:
 * two would make n8n 2.0.3 lose a place for executions. Callbacks that come during a look share the
 * one after it, so that the last callback is never turned away.
 */
export class CallbackGate {
	private readonly begun = new Map<string, BegunLook>();

	/** The task by which the last look at a rest ended, to be read first by the next. */
	private readonly unfinished = new Map<string, string>();

	constructor(readonly clock: Clock) {}

	/** The entries of a rest in the order in which they are best read. */
	inOrder(rest: string, entries: Entry[]): Entry[] {
		const first = entries.filter(({ task }) => task?.id === this.unfinished.get(rest));
		return [...new Set([...first, ...entries])];
	}

	foundUnfinished(rest: string, taskId: string): void {
		if (this.unfinished.size >= MAX_REMEMBERED) this.unfinished.clear();
		this.unfinished.set(rest, taskId);
	}

	/** @param look Not called when another callback looks in its place. */
	async pass(rest: string, look: () => Promise<Look>): Promise<Look> {
		const begun = this.begun.get(rest);
		if (begun === undefined) return await this.look(rest, look);
		if (begun.hasFinished) return 'finished';
		if (begun.waiting >= MAX_WAITING) return 'unavailable';
		begun.waiting += 1;
		begun.next ??= begun.over.then(async () => await this.pass(rest, look));
		return await begun.next;
	}

	private async look(rest: string, look: () => Promise<Look>): Promise<Look> {
		this.forgetOldest();
		const result = look();
		const over = Promise.allSettled([result, this.clock.sleep(MIN_GAP_MS, NEVER)]);
		const begun: BegunLook = {
			over: over.then(() => void (begun.hasFinished || this.begun.delete(rest))),
			hasFinished: false,
			waiting: 0,
		};
		this.begun.set(rest, begun);
		begun.hasFinished = (await result) === 'finished';
		return await result;
	}

	/** A finished rest is remembered: n8n may queue its execution for as long as others run. */
	private forgetOldest(): void {
		if (this.begun.size < MAX_REMEMBERED) return;
		const oldest = [...this.begun].find(([, { hasFinished }]) => hasFinished)?.[0];
		if (oldest !== undefined) this.begun.delete(oldest);
	}
}
