import type { Delivery } from '../downloads/download';
import type { ItemPlan } from './plan';
import type { ItemError, ItemResult } from './result';
import { hasResults, resultOf, taskFacts } from './result';
import type { RememberedTask, TaskMemory } from '../tasks/memory';
import type { WayBack } from '../messages/messages';
import { NO_STATUS } from '../messages/messages';
import type { OtherItems } from '../messages/otherItems';
import type { Outcome } from '../tasks/job';

/** An item that stops the node. */
export interface StoppingItem {
	itemIndex: number;
	error: ItemError;
	outcome: Outcome | undefined;
}

/** What each item came to, and which tasks it leaves. */
export class RunLedger {
	/** Sparse until the run is over. */
	private readonly outcomes: Outcome[] = [];

	private readonly results: ItemResult[] = [];

	/** Items that only ended because the run did. */
	private readonly cutShort = new Set<number>();

	constructor(
		/** By item; `undefined` for an item that is not valid. */
		private readonly plans: Array<ItemPlan | undefined>,
		private readonly memory: TaskMemory,
		private readonly wayBack: WayBack,
	) {}

	/** An item for which nothing is done. */
	refuse(itemIndex: number, error: ItemError): void {
		this.results[itemIndex] = { error };
	}

	/** An item whose job is over. */
	enter(itemIndex: number, outcome: Outcome, delivery: Delivery | undefined): void {
		this.outcomes[itemIndex] = outcome;
		if (isCutShort(outcome, delivery)) this.cutShort.add(itemIndex);
		this.results[itemIndex] = this.resultFor(itemIndex, outcome, delivery);
	}

	/** What an item would become. */
	resultFor(itemIndex: number, outcome: Outcome, delivery: Delivery | undefined): ItemResult {
		const { wait, download } = this.plans[itemIndex] ?? {};
		return resultOf(outcome, delivery, { wait, download, wayBack: this.wayBack });
	}

	/** One for each item, in their order, when the run is over. */
	allResults(): ItemResult[] {
		return this.results;
	}

	/** The first item that went wrong itself, not one that was only cut short by it. */
	stoppingItem(): StoppingItem | undefined {
		const itemIndex = this.results.findIndex(
			(result, index) => result && 'error' in result && !this.cutShort.has(index),
		);
		const result = this.results[itemIndex];
		if (!result || !('error' in result)) return undefined;
		return { itemIndex, error: result.error, outcome: this.outcomes[itemIndex] };
	}

	hasErrors(): boolean {
		return this.results.some((result) => 'error' in result);
	}

	/** Whether a link that will not last is all that some item has of its video. */
	hasLinksOnly(): boolean {
		return this.outcomes.some(
			(outcome, itemIndex) => hasResults(outcome) && this.plans[itemIndex]?.download === undefined,
		);
	}

	/** Tasks of this try, of an earlier one for items whose turn did not come, and replaced ones. */
	otherItems(exceptItem?: number, exceptTaskId?: string): OtherItems {
		const current = this.plans.flatMap((_, itemIndex) => this.taskOf(itemIndex) ?? []);
		const tasks = [...current, ...this.memory.leftBehind()]
			.filter(({ taskId }) => taskId !== exceptTaskId)
			.map(({ status = NO_STATUS, ...task }) => ({ ...task, status }));
		const unansweredItems = [...this.plans.keys()].filter(
			(itemIndex) => itemIndex !== exceptItem && this.memory.isUnanswered(itemIndex),
		);
		return { tasks, unansweredItems };
	}

	private taskOf(itemIndex: number): RememberedTask | undefined {
		const outcome = this.outcomes[itemIndex];
		const { taskId, task } = outcome ? taskFacts(outcome) : {};
		if (taskId === undefined) return this.memory.taskOf(itemIndex);
		return { itemIndex, taskId, status: task?.status };
	}
}

const isCutShort = ({ kind }: Outcome, delivery: Delivery | undefined): boolean =>
	kind === 'left' ||
	kind === 'notStarted' ||
	(delivery?.kind === 'notDownloaded' && delivery.trouble.kind === 'stopped');
