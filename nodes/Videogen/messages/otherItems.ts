import { quotable } from '../common/quotable';
import { listed, NO_STATUS, RESEND_ADVICE } from './message';

/** A task of this run besides the one that an error is about. */
export interface OtherTask {
	itemIndex: number;
	taskId: string;
	/** `undefined` while nobody has heard it. */
	status?: string;
}

/** What became of the items that an error is not about, as far as it cost or may have cost. */
export interface OtherItems {
	tasks: OtherTask[];
	/** Indexes of items whose create got no answer: a task may exist whose id nobody knows. */
	unansweredItems: number[];
}

/** For an error that comes before anything was done. */
export const NO_OTHER_ITEMS: OtherItems = { tasks: [], unansweredItems: [] };

/** Sentences that name all of them, up to a limit each. */
export function otherItemsText({ tasks, unansweredItems }: OtherItems, limit: number): string[] {
	const tasksText = `Other tasks of this run: ${listed(tasks.map(taskText), limit)}. A retry reads the tasks that exist instead of paying again; only a failed one is created again, where the node had created it.`;
	const items = unansweredItems.map((itemIndex) => `item ${itemIndex}`);
	const unansweredText = `Sent without an answer, so that a task may exist and be charged: ${listed(items, limit)}. Look in the provider's console; no retry sends them again, ${RESEND_ADVICE}.`;
	return [
		...(tasks.length > 0 ? [tasksText] : []),
		...(unansweredItems.length > 0 ? [unansweredText] : []),
	];
}

export const taskText = ({ itemIndex, taskId, status = NO_STATUS }: OtherTask): string =>
	`item ${itemIndex}: ${quotable(taskId)} (${quotable(status)})`;

const TASKS_PER_LINE = 20;

/** For n8n's log, where all of them are named: lines of a length that log viewers show. */
export function otherItemsLines({ tasks, unansweredItems }: OtherItems): string[] {
	const texts = [
		...tasks.map(taskText),
		...unansweredItems.map((itemIndex) => `item ${itemIndex}: sent, no answer`),
	];
	const lineCount = Math.ceil(texts.length / TASKS_PER_LINE);
	return Array.from({ length: lineCount }, (_, line) =>
		texts.slice(line * TASKS_PER_LINE, (line + 1) * TASKS_PER_LINE).join(', '),
	);
}
