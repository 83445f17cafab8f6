import { wholeId } from '../common/quotable';
import { LABELS } from '../parameters/labels';

/** What people read: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** The two parts of a message, neither of them complete yet. */
export type Words = [what: string, next: string];

export const TRY_LATER = 'Try again later. If this continues, ask the provider.';

/** In place of the status of a task that was never read. */
export const NO_STATUS = 'not known';

/** How to get a task that exists; `how` names what else to set in Get Task. */
export const fetchAdvice = (taskId: string, how = ''): string =>
	`Use Get Task with ID ${wholeId(taskId)}${how}: that costs nothing more.`;

/** How to get a task that the node created. Get Task in its place would lose what its fields hold. */
export const fetchElsewhere = (taskId: string, how = ''): string =>
	fetchAdvice(taskId, `${how}${ELSEWHERE}`);

export const ELSEWHERE = ', in a new workflow';

/** How a person can let a request without a clear answer be sent again. */
export const RESEND_ADVICE = `unless you switch on '${LABELS.resendAfterNoReply}' in '${LABELS.options}', save, and choose “Retry with currently saved workflow” in Executions`;

/** A place as people count: the 1st for index 0. */
export const nth = (index: number): string => {
	const place = index + 1;
	const isTeen = Math.floor(place / 10) % 10 === 1;
	return `${place}${(!isTeen && ['th', 'st', 'nd', 'rd'][place % 10]) || 'th'}`;
};

/** An item as people count, in every text; n8n counts from 0. */
export const nthOf = (index: number, total: number): string =>
	total === 1 ? 'the item' : `the ${nth(index)} of ${total} items`;

/** The same in a list of items, where the number of all would only repeat. */
export const nthItem = (index: number): string => `${nth(index)} item`;

/** The first of some texts, and how many more there are. */
export function listed(texts: string[], limit: number, separator = ', '): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(separator)}${more}`;
}
