import { LABELS, listed } from '../ground/words';
import type { Order } from '../work/orders';

const MAX_LISTED_EXECUTIONS = 3;
const MINUTE_MS = 60_000;

/** How long ago something was, as people say it. */
function ago(ms: number): string {
	const minutes = Math.round(ms / MINUTE_MS);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
	return `${Math.round(minutes / 60)} hours ago`;
}

const ANOTHER_TAKE = `For another take, change something, or switch off '${LABELS.reuseInEditor}' in '${LABELS.options}'.`;

/** For an execution in the editor that took tasks which were ordered before. */
export function reuseText(reuse: {
	taken: Array<Pick<Order, 'orderedBy' | 'orderedAtMs'>>;
	/** How many the service did not know any more, or whose task had failed. */
	orderedAgain: number;
	/** How many items the run has. */
	creates: number;
	nowMs: number;
}): string {
	const { taken, orderedAgain, creates, nowMs } = reuse;
	const from = new Map(
		taken.map(({ orderedBy, orderedAtMs }) => [
			orderedBy,
			`execution ${orderedBy} (${ago(nowMs - orderedAtMs)})`,
		]),
	);
	const texts = [
		taken.length > 0 &&
			`Nothing was ordered for ${taken.length} of ${creates} ${creates === 1 ? 'video' : 'videos'}: taken from ${listed([...from.values()], MAX_LISTED_EXECUTIONS)}. Files behind URLs were not compared. ${ANOTHER_TAKE}`,
		orderedAgain > 0 &&
			`Ordered again: ${orderedAgain}, because the service no longer knows the task, or it failed.`,
	];
	return texts.filter((text) => text !== false).join(' ');
}
