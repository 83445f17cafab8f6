import { quotable } from '../common/quotable';
import { InvalidParameter } from '../parameters/invalidParameter';
import { LABELS } from '../parameters/labels';
import { codeIn, messageIn } from '../service/serviceMessage';
import type { Task } from '../service/task';
import type { Outcome } from '../tasks/job';
import type { Message, Recovery } from './message';
import { NO_STATUS, quoted } from './message';
import { diagnosis, serviceErrorMessage } from './serviceErrorMessage';

const NOTHING_CREATED = 'No task was created for this item.';
/** After a 5XX, which a gateway may send while the service behind it goes on. */
const NO_ID_CAME =
	"No task ID came back for this item; the provider's console shows whether there is a task.";

/** Said whenever a create may have made a task that nobody can name. */
const MAY_EXIST =
	"The service may have created a task all the same, and may charge for it: look in the provider's console before you create it again.";
const NOT_SENT_AGAIN = `No retry sends it again, unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save, and choose “Retry with currently saved workflow”.`;

const NO_REASON = 'The service gives no reason.';

/** What a failed task's own code suggests to do; codes are not shown in the contract. */
const ADVICE_ON_FAILURE: Array<[RegExp, string]> = [
	[
		/polic|moderat|safety|sensitive/i,
		`Reword the prompt, use other pictures, or switch off ${LABELS.generateAudio} in ${LABELS.options}, and run again.`,
	],
	[/quota|balance|credit/i, "Check the balance and limits in the provider's console."],
	[/timeout|timed out|exhausted|unavailable|capacity/i, 'Run again later: the service is busy.'],
	[
		/image[_ -](?!to)|picture|frame|dimension|media/i,
		'Use other pictures: JPEG, PNG or WebP, of the same size, that the service can open.',
	],
	[/parameter|invalid|input/i, 'Change the settings that the service names and run again.'],
];

const mayExistAdvice = (recovery: Recovery): string =>
	recovery === 'retry' ? `${MAY_EXIST} ${NOT_SENT_AGAIN}` : MAY_EXIST;

/** The message of an item that did not get what it asked for. */
export function outcomeMessage(
	outcome: Exclude<Outcome, { kind: 'done' }>,
	recovery: Recovery,
): Message {
	switch (outcome.kind) {
		case 'failed':
			return failedMessage(outcome.task);
		case 'timedOut':
			return timedOutMessage(outcome, recovery);
		case 'notCreated':
			return notCreatedMessage(outcome, recovery);
		case 'notRead':
			return notReadMessage(outcome, recovery);
		case 'stopped':
			return {
				message: `Stopped waiting for task ${quotable(outcome.taskId)} (${statusWord(outcome.task)})`,
				description: `${GOES_ON} ${fetchAdvice(outcome.taskId, recovery)}`,
			};
		case 'notStarted':
			return {
				message: 'Nothing was sent for this item',
				description: 'The node ended before it was this item’s turn. Run again.',
			};
	}
}

const statusWord = (task: Task | undefined): string =>
	`status: ${task ? quotable(task.status) : NO_STATUS}`;

const GOES_ON = 'It is still running at the service.';

const fetchAdvice = (taskId: string, recovery: Recovery): string =>
	recovery === 'retry'
		? `Retry this execution, or use Get Task with the ID ${quotable(taskId)}, to fetch it without paying again.`
		: `Use Get Task with the ID ${quotable(taskId)} to fetch it: creating it again is paid again.`;

function failedMessage(task: Task): Message {
	const payload = task.record.error;
	const said = messageIn(payload);
	const code = codeIn(payload);
	const advice =
		failureAdvice(code) ??
		failureAdvice(said) ??
		'Change the prompt or the settings and run again.';
	const named = code && code !== said ? ` (${code}).` : '';
	const reason = said
		? `The service says: ${named ? `“${said}”` : quoted(said)}${named}`
		: NO_REASON;
	return {
		message: `Task ${quotable(task.id)} failed at the service`,
		description: `${reason} Last status: ${quotable(task.status)}. ${advice}`,
	};
}

/** What the words say is only asked when the code says nothing: words have many meanings. */
const failureAdvice = (text = ''): string | undefined =>
	ADVICE_ON_FAILURE.find(([pattern]) => pattern.test(text))?.[1];

function timedOutMessage(
	{ taskId, task, error }: Outcome & { kind: 'timedOut' },
	recovery: Recovery,
): Message {
	const lately = error ? `${serviceErrorMessage(error, 'read').message} when last asked. ` : '';
	return {
		message: `Task ${quotable(taskId)} was not finished in time (${statusWord(task)})`,
		description: `${lately}${GOES_ON} ${fetchAdvice(taskId, recovery)} ${LABELS.timeoutMinutes} in ${LABELS.waitOptions} sets how long the node waits.`,
	};
}

function notCreatedMessage(
	{ error, mayExist, sinceEarlierTry }: Outcome & { kind: 'notCreated' },
	recovery: Recovery,
): Message {
	const { message, description } = serviceErrorMessage(error, 'create');
	if (!mayExist) {
		const serverSide = error.kind === 'status' && error.status >= 500;
		return { message, description: `${description} ${serverSide ? NO_ID_CAME : NOTHING_CREATED}` };
	}
	if (sinceEarlierTry) {
		return {
			message: `${message}; an earlier try got no answer, so it is not known whether a task was created`,
			description: mayExistAdvice(recovery),
		};
	}
	// Not what else is advised: whoever runs it again may pay again.
	const cause = error.kind === 'unreadable' ? ` ${diagnosis(error)}.` : '';
	return {
		message: `${message}, so it is not known whether a task was created`,
		description: `${mayExistAdvice(recovery)}${cause}`,
	};
}

function notReadMessage(
	{ taskId, task, error }: Outcome & { kind: 'notRead' },
	recovery: Recovery,
): Message {
	const { message, description } = serviceErrorMessage(error, 'read');
	return {
		message: `Task ${quotable(taskId)} could not be read: ${afterColon(message)}`,
		description: `${description} Last status: ${task ? quotable(task.status) : NO_STATUS}. ${fetchAdvice(taskId, recovery)}`,
	};
}

const afterColon = (sentence: string): string =>
	sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** How to get at the other items when one of them may not be sent again and stops the node. */
const GET_THE_OTHERS =
	'To get the videos of the other items, set On Error in the settings of the node to Continue, save, and choose “Retry with currently saved workflow”, or use Get Task.';

/** For an item whose create got no answer in an earlier try. */
export const unansweredBeforeMessage = (recovery: Recovery, isOnlyItem: boolean): Message => ({
	message: 'An earlier try sent this request and got no answer, so it was not sent again',
	description:
		recovery === 'retry' && !isOnlyItem
			? `${mayExistAdvice(recovery)} ${GET_THE_OTHERS}`
			: mayExistAdvice(recovery),
});

/** For an execution that a person stopped; n8n shows it nowhere but in its data. */
export const STOPPED_MESSAGE: Message = {
	message: 'The execution was stopped',
	description: 'Tasks that were created are still running at the service; Get Task fetches them.',
};

/** An expression that cannot be resolved is as wrong as a value that is not allowed. */
export function invalidMessage(thrown: unknown): Message {
	if (thrown instanceof InvalidParameter) {
		return { message: thrown.message, description: thrown.advice };
	}
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return {
		message,
		description: 'Check the credential of the node and the expressions in its fields.',
	};
}
