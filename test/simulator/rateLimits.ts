import type { ResolvedOptions } from './options';
import { type Reply, errorReply } from './replies';
import type { TaskStore } from './tasks';

const WINDOW_MS = 1_000;

/**
 * The two limits that services of this kind have. Both answer 429; only the one on requests says
 * when to come back, as nobody knows when a running task will end.
 */
export class RateLimits {
	private accepted: number[] = [];

	constructor(
		private readonly options: ResolvedOptions,
		private readonly tasks: TaskStore,
	) {}

	/** The 429 that a create at this moment gets; undefined when it may pass. */
	refusal(): Reply | undefined {
		const { maxUnfinishedTasks } = this.options;
		// Counting looks at every task, so it is left out where there is no limit.
		if (maxUnfinishedTasks < Infinity && this.tasks.unfinishedCount() >= maxUnfinishedTasks) {
			return errorReply(429, {
				code: 'too_many_tasks',
				message: `At most ${maxUnfinishedTasks} tasks may run at once.`,
			});
		}
		this.accepted = this.accepted.filter((at) => at > this.options.now() - WINDOW_MS);
		if (this.accepted.length < this.options.createsPerSecond) return undefined;
		return errorReply(429, {}, { 'retry-after': String(WINDOW_MS / 1_000) });
	}

	countAccepted(): void {
		this.accepted.push(this.options.now());
	}

	clear(): void {
		this.accepted = [];
	}
}
