import { wholeId } from '../common/quotable';
import { LABELS } from '../parameters/labels';

/** What the user reads: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** The same while a message is put together. */
export type Words = [what: string, next: string];

export const TRY_LATER = 'Try again later. If this continues, ask the provider.';

/** In place of a status that is not known yet. */
export const NO_STATUS = 'not known';

/** How to get a task that exists; `how` is what to set in Get Task besides. */
export const fetchAdvice = (taskId: string, how = ''): string =>
	`Use Get Task with ID ${wholeId(taskId)}${how} to get it without paying again.`;

/**
 * The same for a task that the node created itself. Where its node ended in an error, a node after it
 * runs that one again and pays; in its own node, another operation empties the fields.
 */
export const fetchElsewhere = (taskId: string, how = ''): string =>
	fetchAdvice(taskId, `${how}${ELSEWHERE},`);

export const ELSEWHERE = ', in a new workflow';

/** How a request that got no clear answer is sent again all the same. */
export const RESEND_ADVICE = `unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save, and choose “Retry with currently saved workflow”`;

/** The first of some texts, and how many more there are. */
export function listed(texts: string[], limit: number, separator = ', '): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(separator)}${more}`;
}
