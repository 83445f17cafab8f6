import { quotable, quoted } from '../common/quotable';
import { InvalidParameter } from '../parameters/invalidParameter';
import { LABELS } from '../parameters/labels';
import { codeIn, messageIn } from '../service/serviceMessage';
import type { Task } from '../service/task';
import type { Outcome } from '../tasks/job';
import type { Message, Recovery } from './message';
import { fetchAdvice, NO_STATUS, RESEND_ADVICE } from './message';
import { diagnosis, serviceErrorMessage } from './serviceErrorMessage';

const NOTHING_CREATED = 'No task was created for this item.';
/** After a 5XX, which a gateway may send while the service behind it goes on. */
const NO_ID_CAME =
	"No task ID came back for this item; the provider's console shows whether there is a task.";

/** Said whenever a create may have made a task that nobody can name. */
const MAY_EXIST =
	"The service may have created a task all the same, and may charge for it: look in the provider's console before you create it again.";

/** What a failed task's own code suggests to do; codes are not shown in the contract. */
const ADVICE_ON_FAILURE: Array<[RegExp, string]> = [
	[
		/polic|moderat|safety|sensitive/i,
		`Reword the prompt, use other images, or switch off ${LABELS.generateAudio} in ${LABELS.options}, and run again.`,
	],
	[/quota|balance|credit/i, "Check the balance and limits in the provider's console."],
	[/timeout|timed out|exhausted|unavailable|capacity/i, 'Run again later: the service is busy.'],
	[
		/image[_ -](?!to)|picture|frame|dimension|media/i,
		'Use other images: JPEG, PNG or WebP, of the same size, that the service can open.',
	],
	[/parameter|invalid|input/i, 'Change the settings that the service names and run again.'],
];

/** When neither code nor words suggest anything. */
const RETRY_CHANGED = 'Change the prompt or the settings and run again.';

const mayExistAdvice = (recovery: Recovery): string =>
	recovery === 'retry' ? `${MAY_EXIST} No retry sends it again, ${RESEND_ADVICE}.` : MAY_EXIST;

/** The message of an item that did not get what it asked for. */
export function outcomeMessage(
	outcome: Exclude<Outcome, { kind: 'done' }>,
	recovery: Recovery,
): Message {
	switch (outcome.kind) {
		case 'failed':
			return failedMessage(outcome.task);
		case 'notCreated':
			return notCreatedMessage(outcome, recovery);
		case 'timedOut':
		case 'notRead':
		case 'stopped':
			return unfinishedMessage(outcome, recovery);
		case 'notStarted':
			return {
				message: 'Nothing was sent for this item',
				description: 'The node ended before it was this item’s turn. Run again.',
			};
	}
}

/** Of a task that exists and whose end is not known. */
function unfinishedMessage(
	outcome: Extract<Outcome, { kind: 'timedOut' | 'notRead' | 'stopped' }>,
	recovery: Recovery,
): Message {
	const id = quotable(outcome.taskId);
	const status = outcome.task ? quotable(outcome.task.status) : NO_STATUS;
	const fetch = fetchAdvice(outcome.taskId, recovery);
	if (outcome.kind === 'stopped') {
		return {
			message: `Stopped waiting for task ${id} (status: ${status})`,
			description: `${STILL_RUNNING} ${fetch}`,
		};
	}
	if (outcome.kind === 'timedOut') {
		const { error } = outcome;
		const lately = error ? `${serviceErrorMessage(error, 'read').message} when last asked. ` : '';
		return {
			message: `Task ${id} was not finished in time (status: ${status})`,
			description: `${lately}${STILL_RUNNING} ${fetch} ${LABELS.timeoutMinutes} in ${LABELS.waitOptions} sets how long the node waits.`,
		};
	}
	const { message, description } = serviceErrorMessage(outcome.error, 'read');
	return {
		message: `Task ${id} could not be read: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
		description: `${description} Last status: ${status}. ${fetch}`,
	};
}

const STILL_RUNNING = 'It is still running at the service.';

function failedMessage(task: Task): Message {
	const payload = task.record.error;
	const said = messageIn(payload);
	const code = codeIn(payload);
	const advice = failureAdvice(code) ?? failureAdvice(said) ?? RETRY_CHANGED;
	const quote = said && code && code !== said ? `“${said}” (${code}).` : said && quoted(said);
	const reason = quote ? `The service says: ${quote}` : 'The service gives no reason.';
	return {
		message: `Task ${quotable(task.id)} failed at the service`,
		description: `${reason} Last status: ${quotable(task.status)}. ${advice}`,
	};
}

/** What the words say is only asked when the code says nothing: words have many meanings. */
const failureAdvice = (text = ''): string | undefined =>
	ADVICE_ON_FAILURE.find(([pattern]) => pattern.test(text))?.[1];

function notCreatedMessage(
	{ error, mayExist, sinceEarlierTry }: Outcome & { kind: 'notCreated' },
	recovery: Recovery,
): Message {
	const { message, description } = serviceErrorMessage(error, 'create');
	if (!mayExist) {
		const serverSide = error.kind === 'status' && error.status >= 500;
		return { message, description: `${description} ${serverSide ? NO_ID_CAME : NOTHING_CREATED}` };
	}
	const earlier = sinceEarlierTry ? '; an earlier try got no answer' : '';
	// Not what else is advised: whoever runs it again may pay again.
	const cause = error.kind === 'unreadable' && !sinceEarlierTry ? ` ${diagnosis(error)}.` : '';
	return {
		message: `${message}${earlier}, so it is not known whether a task was created`,
		description: `${mayExistAdvice(recovery)}${cause}`,
	};
}

/** How to get at the other items when one of them may not be sent again and stops the node. */
const GET_THE_OTHERS =
	'To get the videos of the other items, set On Error in the settings of the node to Continue, save, and choose “Retry with currently saved workflow”, or use Get Task.';

/** For an item whose create got no answer in an earlier try. */
export const unansweredBeforeMessage = (recovery: Recovery, isOnlyItem: boolean): Message => ({
	message: 'An earlier try sent this request and got no answer, so it was not sent again',
	description: `${mayExistAdvice(recovery)}${recovery === 'retry' && !isOnlyItem ? ` ${GET_THE_OTHERS}` : ''}`,
});

/** For an execution that a person stopped; n8n shows it nowhere but in its data. */
export const STOPPED_MESSAGE: Message = {
	message: 'The execution was stopped',
	description: 'Tasks that were created are still running at the service; Get Task fetches them.',
};

/** An expression that cannot be resolved is as wrong as a value that is not allowed. */
export const invalidMessage = (thrown: unknown): Message =>
	thrown instanceof InvalidParameter
		? { message: thrown.message, description: thrown.advice }
		: {
				message: thrown instanceof Error ? thrown.message : String(thrown),
				description: 'Check the credential of the node and the expressions in its fields.',
			};
