import { quotable } from '../common/quotable';
import { LABELS } from '../parameters/labels';

/** What the user reads: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** In place of a status that is not known yet. */
export const NO_STATUS = 'not known';

/**
 * How a person gets back to a task: when the node stopped, by retrying the execution too; when it
 * went on, n8n has nothing to retry, and running the workflow again would create and pay again.
 */
export type Recovery = 'retry' | 'getTask';

/** How to fetch a task that exists; `how` is what to set in Get Task besides. */
export const fetchAdvice = (taskId: string, recovery: Recovery, how = ''): string =>
	recovery === 'retry'
		? `Retry this execution, or use Get Task with the ID ${quotable(taskId)}${how}, to fetch it without paying again.`
		: `Use Get Task with the ID ${quotable(taskId)}${how} to fetch it: creating it again is paid again.`;

/** How a request that got no answer is sent again all the same. */
export const RESEND_ADVICE = `unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save, and choose “Retry with currently saved workflow”`;

/** The first of some texts, and how many more there are. */
export function listed(texts: string[], limit: number, separator = ', '): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(separator)}${more}`;
}
