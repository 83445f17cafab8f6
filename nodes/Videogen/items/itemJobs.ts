import type { Delivery } from '../downloads/download';
import type { PlannedRequest } from '../parameters/plannedRequest';
import type { ItemPlan } from './plan';
import type { Job, Start } from '../tasks/job';

/** A job and the items that it serves: several items may ask for the same task. */
export interface ItemJob extends Job<PlannedRequest> {
	itemIndexes: number[];
	/** Whether the results of its task are wanted as files. */
	isDownloaded: boolean;
	/** What came of that. */
	delivery?: Delivery;
}

/** Jobs for all valid items (`plans` is by item) but those that may not start. */
export function itemJobs(
	plans: Array<ItemPlan | undefined>,
	startOf: (plan: ItemPlan, itemIndex: number) => Start<PlannedRequest> | undefined,
): ItemJob[] {
	const jobs = new Map<string, ItemJob>();
	plans.forEach((plan, itemIndex) => {
		const start = plan && startOf(plan, itemIndex);
		if (!plan || !start) return;
		const isDownloaded = plan.download !== undefined;
		const wait = plan.wait?.plan;
		const key = keyOf(start, itemIndex, [wait, isDownloaded]);
		const shared = jobs.get(key);
		if (shared) shared.itemIndexes.push(itemIndex);
		else jobs.set(key, { start, wait, isDownloaded, itemIndexes: [itemIndex] });
	});
	return [...jobs.values()];
}

/** Tells jobs apart: a task that several items ask for in the same way is read once for all. */
const keyOf = (start: Start<PlannedRequest>, itemIndex: number, way: unknown[]): string =>
	start.kind === 'read' ? JSON.stringify([start.taskId, ...way]) : `item ${itemIndex}`;
