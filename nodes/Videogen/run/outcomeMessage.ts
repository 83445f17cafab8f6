import { quotable } from '../ground/text';
import {
	InvalidParameter,
	LABELS,
	fetchAdvice,
	fetchElsewhere,
	type Message,
	NO_STATUS,
} from '../ground/words';
import { DURATION_SECONDS } from '../service/contract/limits';
import type { ServiceError } from '../service/answer';
import { createRetryPolicy, isForGood } from '../service/answerTable';
import { type Entry, isCreate, taskIdOf } from '../work/entry';
import { failedMessage } from './failedMessage';
import { diagnosis, serviceErrorMessage, withQuote } from '../service/answerWords';

const NOTHING_CREATED = 'Nothing was created for this item.';
/** For a create that may have made a task whose id nobody knows. */
const MAY_EXIST =
	"The service may have created a task and may charge for it. Check the provider's console before you create it again.";
/** A service that honours order keys gives an order the same answer for about a day. */
const NEW_ORDER =
	'Sending it again gives the same answer. To order a new video, change the prompt.';
/** For the model of an agent, whose next call may be another request in other words. */
const NO_OTHER_CALL = 'Do not ask for it again: that may order, and charge for, another video.';
/** The credential may have changed since the task was created. */
const KNOWN_BEFORE =
	'The service knew this task before. Check that the credential belongs to the account that created it. Services delete old tasks.';
const WAIT_LONGER = `To wait longer next time, raise '${LABELS.timeoutMinutes}' in '${LABELS.options}'.`;

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
		case 'timedOut':
			return timedOutMessage(entry, outcome.error);
		case 'notRead':
			return notReadMessage(entry, outcome.error);
		case 'stopped':
			return {
				message: `Stopped waiting for task ${shownId(entry)} (status: ${shownStatus(entry)})`,
				description: stillRunning(entry, true),
			};
		case 'done':
		case 'notStarted':
		case undefined:
			return {
				message: 'No task was created for this item',
				description: 'The node stopped before its turn. Run this item again.',
			};
	}
}

function notCreatedMessage(entry: Entry, error: ServiceError): Message {
	const { unanswered, taskId } = entry;
	const { message, description } = serviceErrorMessage(error, 'create');
	if (unanswered === undefined) {
		return { message, description: `${description} ${NOTHING_CREATED}` };
	}
	// A refusal of this request says nothing of an earlier one.
	const sinceEarlierTry = createRetryPolicy(error) !== 'unknown';
	const earlier = sinceEarlierTry ? '; an earlier try got no clear answer' : '';
	// The usual advice is left out: to run it again may be to pay again.
	const cause = error.kind === 'unreadable' ? ` ${diagnosis(error)}.` : '';
	const named =
		taskId === undefined
			? ''
			: ` It may be task ${quotable(taskId)}, which could not be read. ${fetchOf(entry)}`;
	const forGood = isForGood(error) ? ` ${NEW_ORDER}` : '';
	const said = error.kind === 'status' ? error.serviceMessage : undefined;
	return withQuote(said, {
		message: `${message}${earlier}, so it is not known whether a task was created`,
		description: `${MAY_EXIST}${forGood}${cause}${named}`,
	});
}

/** @param error Why the last read gave no record, if it gave none. */
function timedOutMessage(entry: Entry, error?: ServiceError): Message {
	const lastRead = error ? `Last read: ${serviceErrorMessage(error, 'read').message}. ` : '';
	return {
		message: `Task ${shownId(entry)} was not finished in time (status: ${shownStatus(entry)})`,
		description: `${lastRead}${stillRunning(entry, !error)} ${WAIT_LONGER}`,
	};
}

function notReadMessage(entry: Entry, error: ServiceError): Message {
	const { message: what, description } = serviceErrorMessage(error, 'read');
	const message = `Task ${shownId(entry)} could not be read: ${what}`;
	// The answer to a create named the task, and may have been wrong.
	if (entry.unanswered !== undefined) {
		return { message, description: `${MAY_EXIST} ${fetchOf(entry)}` };
	}
	const isUnknown = error.kind === 'status' && [400, 404].includes(error.status);
	if (!entry.task) {
		return { message, description: isUnknown ? description : `${description} ${fetchOf(entry)}` };
	}
	const next = `Last status: ${shownStatus(entry)}. ${fetchOf(entry)}`;
	return isUnknown
		? withQuote(error.serviceMessage, { message, description: `${KNOWN_BEFORE} ${next}` })
		: { message, description: `${description} ${next}` };
}

const shownId = (entry: Entry): string => quotable(taskIdOf(entry) ?? '');

const shownStatus = ({ task }: Entry): string => (task ? quotable(task.status) : NO_STATUS);

/** Whoever reads this need not order again what is under way. An agent would, in other words. */
function stillRunning(entry: Entry, isSure: boolean): string {
	const state = isSure ? 'It is still running at the service.' : 'It may be finished by now.';
	const again = entry.call ? ` ${NO_OTHER_CALL}` : '';
	const fetch = fetchOf(entry, ` and '${LABELS.waitForCompletion}' on`);
	return `${state}${again} ${fetch}`;
}

/** How to get the task: an agent has its tools, a person can open another workflow. */
function fetchOf(entry: Entry, how = ''): string {
	const adviceFor = isCreate(entry) && !entry.call ? fetchElsewhere : fetchAdvice;
	return adviceFor(taskIdOf(entry) ?? '', how);
}

/** For a create that could not be made ready. */
export function unreadyMessage(thrown: unknown): Message {
	const { message, description } = invalidMessage(thrown);
	return { message, description: `${description} ${NOTHING_CREATED}` };
}

/** For an item whose create got no clear answer in an earlier try. */
export const UNANSWERED_BEFORE: Message = {
	message: 'An earlier try got no clear answer, so this request was not sent again',
	description: MAY_EXIST,
};

/** For an execution in the editor after the one whose create got no clear answer. */
export const UNCLEAR_BEFORE: Message = {
	message:
		'An execution before this one ordered this video and got no clear answer, so it was not ordered again',
	description: `${MAY_EXIST} To order it all the same, run this once more: it is then sent with the same order key, of which a service that honours keys makes no second video.`,
};

/** Why so many creates may not be sent after those before. */
export const tooManyMessage = (wanted: number, before: number, max: number): Message | undefined =>
	before + wanted <= max
		? undefined
		: {
				message: `${LABELS.maxNewTasks} is ${max}, but this run would create ${wanted}${before > 0 ? ` after ${before} in this execution` : ''}`,
				description: `Nothing new was created. Raise '${LABELS.maxNewTasks}' in '${LABELS.options}', or send fewer items.`,
			};

/**
 * The same where the limit is not the person's own, with what a click would order.
 * @param seconds Of each video.
 */
export function tooManyInEditorMessage(
	seconds: Array<number | undefined>,
	before: number,
	max: number,
): Message | undefined {
	if (before + seconds.length <= max) return undefined;
	const together = seconds.reduce<number>((sum, one) => sum + (one ?? DURATION_SECONDS.default), 0);
	const earlier = before > 0 ? ` after ${before} before` : '';
	return {
		message: `This would create ${seconds.length} videos with ${together} seconds together${earlier}, but an execution in the editor creates at most ${max}`,
		description: `Nothing new was created. For more, add '${LABELS.maxNewTasks}' in '${LABELS.options}', or send fewer items.`,
	};
}

/** Not everybody can read n8n's log. */
export const RUN_AGAIN =
	'In the editor, run it again: what was ordered is taken, not ordered again. Or use Get Task with the IDs in n8n’s log.';

/** For an execution that a person stopped; n8n keeps it in the execution's data and shows it nowhere. */
export const STOPPED_MESSAGE: Message = {
	message: 'The execution was stopped',
	description: RUN_AGAIN,
};

/** For a value that is not allowed, and for what n8n could not make ready. */
export const invalidMessage = (thrown: unknown): Message =>
	thrown instanceof InvalidParameter
		? { message: thrown.message, description: thrown.advice }
		: {
				message: thrown instanceof Error ? thrown.message : String(thrown),
				description:
					'Open the node, choose a credential under “Credential to connect with”, and check its fields.',
			};
