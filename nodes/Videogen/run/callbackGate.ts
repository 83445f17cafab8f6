import type { Clock } from '../common/timer';

/** Forged callbacks cost no more than one check in this time. */
const MIN_GAP_MS = 1_000;

/** More callbacks than this need not be held: the check that they wait for comes anyway. */
const MAX_WAITING = 10;

/** More rests than this at once only cost a few reads more. */
const MAX_REMEMBERED = 1_000;

/** The service's readers may be behind its callbacks: so long a claim is checked again. */
export const FOLLOW_MS = 30_000;

/** The longest time between two of these checks; the gaps grow with the time since the claim. */
const MAX_FOLLOW_GAP_MS = 10_000;

/** n8n may queue an execution that goes on while others run; after this, it has lost it. */
const FINISHED_MS = 10 * 60_000;

const NEVER = new AbortController().signal;

/**
 * What a check of the tasks of a rest found: that some are unfinished, that a task which a callback
 * called final is not known to be so, or that all are final and the rest is over.
 */
export type Found = 'waiting' | 'unconfirmed' | 'finished';

/** A check of a rest, until another may begin. */
interface BegunCheck {
	over: Promise<void>;
	/** For the callbacks that come during this one, and how many they are. */
	next?: Promise<Found>;
	waiting: number;
}

/** What the callbacks of one rest share. */
interface SharedRest {
	begun?: BegunCheck;
	finishedAt?: number;
	/** What callbacks have called final, until a read has shown it. */
	claimed: Set<string>;
	claimedAt: number;
	isFollowed: boolean;
	/** The task by which the last check ended, to be read first by the next. */
	unfinished?: string;
	/** When tasks that the service does not know were first found missing. */
	missingSince: Map<string, number>;
}

/**
 * Lets the callbacks of a rest check its tasks one at a time, and only one of them finish it:
 * two would make n8n 2.0.3 lose a place for executions. Callbacks that come during a check share the
 * one after it, so that the last callback is never turned away.
 */
export class CallbackGate {
	private readonly rests = new Map<string, SharedRest>();

	constructor(readonly clock: Clock) {}

	/** A callback calls these tasks final, which is to be believed when a read shows it. */
	claim(rest: string, taskIds: string[]): void {
		if (taskIds.length === 0) return;
		const shared = this.shared(rest);
		for (const taskId of taskIds) shared.claimed.add(taskId);
		shared.claimedAt = this.clock.now();
	}

	/** The tasks of a rest, each once, in the order in which they are best read. */
	inOrder(rest: string, taskIds: string[]): string[] {
		const { claimed, unfinished } = this.shared(rest);
		const first = unfinished === undefined ? claimed : [...claimed, unfinished];
		return [...new Set([...first, ...taskIds])];
	}

	/** A task was read and is final. */
	confirm(rest: string, taskId: string): void {
		this.shared(rest).claimed.delete(taskId);
	}

	/** For how long the service has not known a task, by its answers to all checks; 0 if it does. */
	missingMs(rest: string, taskId: string, isMissing: boolean): number {
		const { missingSince } = this.shared(rest);
		const now = this.clock.now();
		const since = isMissing ? (missingSince.get(taskId) ?? now) : now;
		if (isMissing) missingSince.set(taskId, since);
		else missingSince.delete(taskId);
		return now - since;
	}

	/** A check ends with this task, which is unfinished. */
	endWith(rest: string, taskId: string): Exclude<Found, 'finished'> {
		const shared = this.shared(rest);
		shared.unfinished = taskId;
		return shared.claimed.has(taskId) ? 'unconfirmed' : 'waiting';
	}

	/** @param check Not called when another callback checks in its place. */
	async pass(rest: string, check: () => Promise<Found>): Promise<Found> {
		const shared = this.shared(rest);
		const { begun, finishedAt = -Infinity } = shared;
		if (this.clock.now() - finishedAt < FINISHED_MS) return 'finished';
		if (begun === undefined) return await this.check(shared, check);
		if (begun.waiting >= MAX_WAITING) return 'unconfirmed';
		begun.waiting += 1;
		begun.next ??= begun.over.then(async () => await this.pass(rest, check));
		return await begun.next;
	}

	/**
	 * Checks a rest again for some time after the last claim, which costs a few reads. Resolves at
	 * once when another callback does it already.
	 */
	async follow(rest: string, check: () => Promise<Found>): Promise<void> {
		const shared = this.shared(rest);
		if (shared.isFollowed) return;
		shared.isFollowed = true;
		const sinceClaimMs = () => this.clock.now() - shared.claimedAt;
		let found: Found = 'unconfirmed';
		while (found === 'unconfirmed' && sinceClaimMs() < FOLLOW_MS) {
			const gapMs = Math.min(Math.max(sinceClaimMs(), MIN_GAP_MS), MAX_FOLLOW_GAP_MS);
			await this.clock.sleep(Math.min(gapMs, FOLLOW_MS - sinceClaimMs()), NEVER);
			found = await this.pass(rest, check).catch(() => 'unconfirmed');
		}
		shared.isFollowed = false;
		// Otherwise, what is left was claimed meanwhile, and who claimed it is to follow it.
		if (found === 'unconfirmed') shared.claimed.clear();
	}

	/** n8n could not go on with what finished a rest: another callback may finish it. */
	reopen(rest: string): void {
		this.shared(rest).finishedAt = undefined;
	}

	private async check(shared: SharedRest, check: () => Promise<Found>): Promise<Found> {
		const result = check();
		const over = Promise.allSettled([result, this.clock.sleep(MIN_GAP_MS, NEVER)]);
		shared.begun = { over: over.then(() => void (shared.begun = undefined)), waiting: 0 };
		const found = await result;
		if (found === 'finished') shared.finishedAt = this.clock.now();
		return found;
	}

	private shared(rest: string): SharedRest {
		const known = this.rests.get(rest);
		if (known) return known;
		if (this.rests.size >= MAX_REMEMBERED) this.forgetOldest();
		const shared = {
			claimed: new Set<string>(),
			claimedAt: -Infinity,
			isFollowed: false,
			missingSince: new Map<string, number>(),
		};
		this.rests.set(rest, shared);
		return shared;
	}

	/** What is under way is not forgotten, as two would do it then. */
	private forgetOldest(): void {
		const isIdle = ({ begun, isFollowed }: SharedRest) => !begun && !isFollowed;
		const oldest = [...this.rests].find(([, shared]) => isIdle(shared))?.[0];
		if (oldest !== undefined) this.rests.delete(oldest);
	}
}
