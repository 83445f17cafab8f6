import { type CreateSettings, maxNewTasksIn } from '../fields/options';
import type { Ledger } from '../work/ledger';
import { fail, type Item } from '../work/order';
import { tooManyFault, tooManyInEditorFault } from '../work/orderWords';

/** How many tasks the node may create in one execution, all its runs together. */
export class SpendingLimit {
	readonly max: number;

	constructor(
		private readonly ledger: Ledger,
		private readonly settings: CreateSettings,
		/** Whether a person runs it in the editor, with a live credential. */
		private readonly isPaidClick: boolean,
	) {
		this.max = maxNewTasksIn(settings, isPaidClick);
	}

	/** All of these are created or none, if they are more than this execution may still create. */
	refuse(items: Item[]): void {
		const { ledger, max } = this;
		const isOwnLimit = this.settings.maxNewTasks === undefined && this.isPaidClick;
		const seconds = items.map(({ create }) => create?.request.duration);
		const fault = isOwnLimit
			? tooManyInEditorFault(seconds, ledger.newTasks, max)
			: tooManyFault(items.length, ledger.newTasks, max);
		if (!fault) return;
		for (const { order } of items) {
			fail(order, fault);
			ledger.note(order);
		}
	}
}
