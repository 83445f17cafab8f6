import { quotable } from '../common/quotable';
import { LABELS } from '../parameters/labels';

/** A task of this run besides the one that an error is about. */
export interface OtherTask {
	itemIndex: number;
	taskId: string;
	status: string;
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
export const otherItemsText = ({ tasks, unansweredItems }: OtherItems, limit: number): string[] => [
	...tasksText(tasks, limit),
	...unansweredText(unansweredItems, limit),
];

function tasksText(tasks: OtherTask[], limit: number): string[] {
	if (tasks.length === 0) return [];
	const named = listed(tasks.map(taskText), limit);
	return [
		`Other tasks of this run: ${named}. A retry reads the tasks that exist instead of paying again; only a failed one is created again, where the node had created it.`,
	];
}

const taskText = ({ itemIndex, taskId, status }: OtherTask): string =>
	`item ${itemIndex}: ${quotable(taskId)} (${quotable(status)})`;

function unansweredText(itemIndexes: number[], limit: number): string[] {
	if (itemIndexes.length === 0) return [];
	const named = listed(
		itemIndexes.map((itemIndex) => `item ${itemIndex}`),
		limit,
	);
	return [
		`Sent without an answer, so that a task may exist and be charged: ${named}. Look in the provider's console; no retry sends them again, unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save, and choose “Retry with currently saved workflow”.`,
	];
}

function listed(texts: string[], limit: number): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(', ')}${more}`;
}

/** For n8n's log, where all of them are named: lines of a length that log viewers show. */
export function otherItemsLines({ tasks, unansweredItems }: OtherItems): string[] {
	const texts = [
		...tasks.map(taskText),
		...unansweredItems.map((itemIndex) => `item ${itemIndex}: sent, no answer`),
	];
	const lines: string[] = [];
	for (let from = 0; from < texts.length; from += TASKS_PER_LINE) {
		lines.push(texts.slice(from, from + TASKS_PER_LINE).join(', '));
	}
	return lines;
}

const TASKS_PER_LINE = 20;
