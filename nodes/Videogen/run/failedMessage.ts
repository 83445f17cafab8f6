import { wholeId } from '../ground/text';
import { LABELS, type Message } from '../ground/words';
import type { GenerationRequest } from '../service/contract/request';
import { codeIn, isBalance, isModeration, messageIn, requestIdIn } from '../service/errorPayload';
import { endingOf } from '../service/task';
import type { Entry } from '../work/entry';

const SOUND = /audio|sound/i;

const CHECK_BALANCE = "Check the balance and limits in the provider's console.";
const CHANGE_OR_WAIT = 'Run this item again later, or with another prompt.';
const WHO_CHARGES = 'Ask your provider whether failed videos cost money.';

/** The endings of which the prompt is not the cause. */
const ENDED = {
	cancelled: ['The service cancelled this video', 'was cancelled at the service'],
	expired: ['This video expired at the service', 'expired before it was finished'],
} as const;

/** The message of an item whose task ended without a video. */
export function failedMessage({ task, request }: Entry): Message {
	const ending = endingOf(task?.status ?? '');
	if (ending === 'cancelled' || ending === 'expired') {
		const [message, what] = ENDED[ending];
		return {
			message,
			description: `Task ${wholeId(task?.id ?? '')} ${what}. To order it again, run this item again. ${WHO_CHARGES}`,
		};
	}
	const payload = task?.record.error;
	const quote = messageIn(payload);
	const requestId = requestIdIn(quote ?? '');
	const said = quote?.slice(0, quote.length - requestId.length).trim();
	const code = codeIn(payload);
	const what = isModeration(code, said)
		? 'The service refused this video'
		: 'The service did not make this video';
	const named = code && code !== said ? ` (${code})` : '';
	const failed = `Task ${wholeId(task?.id ?? '')} failed${named}${requestId && ` ${requestId}`}.`;
	return {
		message: said ? `${what}: ${said.replace(/\.$/, '')}` : `${what} and gives no reason`,
		description: `${failed} ${adviceFor(code, said, request)} ${WHO_CHARGES}`,
	};
}

/** @param sent The request, which is not known for a task that the node only reads. */
function adviceFor(code = '', said = '', sent?: GenerationRequest): string {
	if (!isModeration(code, said)) return isBalance(code || said) ? CHECK_BALANCE : CHANGE_OR_WAIT;
	const isOfText = sent && !Object.keys(sent).some((name) => name.endsWith('_urls'));
	const files = isOfText ? '' : ' or the files';
	const audio = SOUND.test(`${code} ${said}`) ? `, or switch off '${LABELS.generateAudio}'` : '';
	return `Change the prompt${files}${audio}, and run this item again.`;
}
