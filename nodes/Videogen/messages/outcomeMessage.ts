import type { IDataObject } from 'n8n-workflow';
import { quotable } from '../common/quotable';
import { InvalidParameter } from '../parameters/invalidParameter';
import { LABELS } from '../parameters/labels';
import type { ServiceError } from '../service/answer';
import { createRetryPolicy } from '../service/retryPolicy';
import { type Entry, isCreate, type Outcome, taskIdOf } from '../tasks/entry';
import { failedMessage } from './failedMessage';
import { ELSEWHERE, fetchAdvice, fetchElsewhere, listed, type Message, NO_STATUS } from './message';
import { diagnosis, serviceErrorMessage, withQuote } from './serviceErrorMessage';

/** More fields than this are not read. */
const MAX_LISTED_FIELDS = 30;

const NOTHING_CREATED = 'Nothing was created for this item.';

/** Said whenever a create may have made a task that nobody can name. */
const MAY_EXIST =
	"The service may have created a task and may charge for it. Check the provider's console before you create it again.";

/** The message of an item that did not get what it asked for. */
export function outcomeMessage(entry: Entry): Message {
	const { outcome } = entry;
	switch (outcome?.kind) {
		case 'failed':
			return failedMessage(entry);
		case 'notSent':
			return { message: outcome.message, description: outcome.description };
		case 'notCreated':
			return notCreatedMessage(entry, outcome.error);
		case 'noCallback':
			return noCallbackMessage(entry);
		case 'timedOut':
		case 'notRead':
		case 'stopped':
			return unfinishedMessage(entry, outcome);
		case 'done':
		case 'notStarted':
		case undefined:
			return {
				message: 'No task was created for this item',
				description: 'The node stopped before its turn. Run this item again.',
			};
	}
}

/** Of a task that exists and whose end is not known. */
function unfinishedMessage(
	entry: Entry,
	outcome: Extract<Outcome, { kind: 'timedOut' | 'notRead' | 'stopped' }>,
): Message {
	const { task } = entry;
	const id = quotable(taskIdOf(entry) ?? '');
	const status = task ? quotable(task.status) : NO_STATUS;
	const during = task ? 'readAgain' : 'read';
	if (outcome.kind === 'notRead') {
		const { error } = outcome;
		const { message, description } = serviceErrorMessage(error, during);
		const last = task ? ` Last status: ${status}.` : '';
		// With an ID that the service does not know, the same look again is no advice.
		const isUnknown = !task && error.kind === 'status' && [400, 404].includes(error.status);
		const couldNot = `Task ${id} could not be read: ${message}`;
		// It was only named by the answer to a create.
		if (entry.unanswered !== undefined) {
			return { message: couldNot, description: `${MAY_EXIST} ${fetchOf(entry)}` };
		}
		return {
			message: couldNot,
			description: isUnknown ? description : `${description}${last} ${fetchOf(entry)}`,
		};
	}
	const isLate = outcome.kind === 'timedOut';
	const lastRead = isLate && outcome.error && serviceErrorMessage(outcome.error, during).message;
	const advice = ` To wait longer next time, raise ${LABELS.timeoutMinutes} in ${LABELS.waitOptions}.`;
	return {
		message: `${isLate ? `Task ${id} was not finished in time` : `Stopped waiting for task ${id}`} (status: ${status})`,
		description: `${lastRead ? `Last read: ${lastRead}. ` : ''}${stillRunning(entry, !lastRead)}${isLate ? advice : ''}`,
	};
}

/** Whoever sees this must not start over what is paid and under way. */
function stillRunning(entry: Entry, isSure: boolean): string {
	const state = isSure ? 'It is still running at the service.' : 'It may be finished by now.';
	const fetch = fetchOf(entry, ` and ${LABELS.waitForCompletion} on`);
	if (!isCreate(entry)) return `${state} ${fetch}`;
	return `${state} ${entry.call ? NO_OTHER_CALL : NOT_AGAIN} ${fetch}`;
}

const NOT_AGAIN =
	'Do not press Execute step again, here or in a node after this one: that creates and charges for another video.';
/** For the model of an agent: in other words, or in another execution, it is another request. */
const NO_OTHER_CALL =
	'Do not call this tool for it again: that may create and charge for another video.';

/** How to get the task: an agent has its tools, a person more than one workflow. */
function fetchOf(entry: Entry, how = ''): string {
	const adviceFor = isCreate(entry) && !entry.call ? fetchElsewhere : fetchAdvice;
	return adviceFor(taskIdOf(entry) ?? '', how);
}

function notCreatedMessage(entry: Entry, error: ServiceError): Message {
	const { unanswered, taskId } = entry;
	const { message, description } = serviceErrorMessage(error, 'create');
	if (unanswered === undefined) {
		return { message, description: `${description} ${NOTHING_CREATED}` };
	}
	// That this request was refused says nothing of an earlier one.
	const sinceEarlierTry = createRetryPolicy(error) !== 'unknown';
	const earlier = sinceEarlierTry ? '; an earlier try got no clear answer' : '';
	// Not what else is advised: whoever runs it again may pay again.
	const cause = error.kind === 'unreadable' ? ` ${diagnosis(error)}.` : '';
	const named =
		taskId === undefined
			? ''
			: ` It may be task ${quotable(taskId)}, which could not be read. ${fetchOf(entry)}`;
	const said = error.kind === 'status' ? error.serviceMessage : undefined;
	return withQuote(said, {
		message: `${message}${earlier}, so it is not known whether a task was created`,
		description: `${MAY_EXIST}${cause}${named}`,
	});
}

/** For a task whose callback did not come; it was read last when the node went to rest. */
function noCallbackMessage(entry: Entry): Message {
	const { id, status, state } = entry.task ?? { id: '', status: NO_STATUS, state: undefined };
	const isReady = state === 'completed';
	return {
		message: `No callback came in time for task ${quotable(id)} (status before: ${quotable(status)})`,
		description: isReady
			? `Its video is finished, but n8n has not downloaded it. ${fetchOf(entry, ` and ${LABELS.downloadResults} on`)}`
			: `Or one came before the service showed the task as finished. ${stillRunning(entry, false)}`,
	};
}

/** For a create that could not be made ready. */
export function unreadyMessage(thrown: unknown): Message {
	const { message, description } = invalidMessage(thrown);
	return { message, description: `${description} ${NOTHING_CREATED}` };
}

/** For an item whose create got no answer in an earlier try, or none that says what became of it. */
export const UNANSWERED_BEFORE: Message = {
	message: 'An earlier try got no clear answer, so this request was not sent again',
	description: MAY_EXIST,
};

/** Why so many creates may not be sent after those before; `max` 0 is no limit. */
export const tooManyMessage = (wanted: number, before: number, max: number): Message | undefined =>
	max === 0 || before + wanted <= max
		? undefined
		: {
				message: `${LABELS.maxNewTasks} is ${max}, but this run would create ${wanted}${before > 0 ? ` after ${before} in this execution` : ''}`,
				description: `Nothing new was created. Raise ${LABELS.maxNewTasks} in ${LABELS.options} (0 for no limit), or send fewer items.`,
			};

/** For an execution that a person stopped; n8n shows it nowhere but in its data. */
export const STOPPED_MESSAGE: Message = {
	message: 'The execution was stopped',
	description: `Tasks that exist are still running at the service. ${NOT_AGAIN} Use Get Task with their IDs, which are in n8n's log${ELSEWHERE}.`,
};

/** For a field whose expression gave nothing, the commonest slip of all. */
export const emptyExpressionMessage = (
	{ field, advice }: InvalidParameter,
	expression: string,
	item: IDataObject,
): Message => ({
	message: `${field.displayName}: the expression ${quotable(expression.slice(1))} gave nothing for this item`,
	description: `Fields of the item: ${listed(Object.keys(item).map(quotable), MAX_LISTED_FIELDS) || 'none'}. ${advice}`,
});

/** An expression that cannot be resolved is as wrong as a value that is not allowed. */
export const invalidMessage = (thrown: unknown): Message =>
	thrown instanceof InvalidParameter
		? { message: thrown.message, description: thrown.advice }
		: {
				message: thrown instanceof Error ? thrown.message : String(thrown),
				description: 'Check the credential of the node and the expressions in its fields.',
			};
