import { quotable, quoted } from '../ground/text';
import {
	fetchAdvice,
	fetchElsewhere,
	InvalidParameter,
	LABELS,
	type Message,
	NOTHING_CREATED,
	NO_STATUS,
} from '../ground/words';
import type { ServiceError } from '../service/answer';
import { DURATION_SECONDS } from '../service/contract/limits';
import {
	deniesTask,
	kindOfCreate,
	kindOfRead,
	knowsOrderKey,
	wordsOfCreate,
	wordsOfRead,
} from '../service/answerMeaning';
import { reasonIn } from '../service/failure';
import type { GenerationRequest } from '../service/contract/request';
import type { Task } from '../service/task';
import { type Fault, isCreate, type Item, type Order, taskIdOf, taskOf, TOOL_RUN } from './order';

/** For a create that may have made a task whose id nobody knows. */
const MAY_EXIST_ADVICE =
	"The service may have made a task and may charge for it. Check the provider's console before you order it again.";

const SEND_AGAIN = `To send it again anyway, switch on '${LABELS.resendAfterNoReply}' in '${LABELS.options}'.`;

/** For the model of an agent, whose next call may be another request in other words. */
const NO_OTHER_CALL = 'Do not ask for it again: that may order, and charge for, another video.';

/** The credential may have changed since the task was created. */
const KNOWN_BEFORE =
	'The service knew this task before, and services delete old tasks. For a new video, change something or run the workflow again.';

/** For an item whose create got no answer in an earlier try: what was said then still holds. */
export const unansweredBefore = ({ state }: Order): Fault => ({
	kind: 'noAnswer',
	message: 'A task may exist from an earlier try, so this was not sent again',
	description:
		state.is === 'error' && state.fault.kind === 'noAnswer'
			? state.fault.description
			: `${MAY_EXIST_ADVICE} ${SEND_AGAIN}`,
});

/** For a create that was to be sent again, when its time was up. */
export const UNANSWERED: Fault = {
	kind: 'noAnswer',
	message: 'The service did not answer clearly, so a task may exist',
	description: MAY_EXIST_ADVICE,
};

/** For an item whose turn did not come. */
export const NOT_STARTED: Fault = {
	kind: 'stopped',
	message: 'No task was created for this item',
	description: 'The node stopped before this item had its turn. Run the item again.',
	isCutShort: true,
};

/** For an order that another execution has in hand. */
export const orderedElsewhereFault = (executionId = ''): Fault => ({
	kind: 'stopped',
	message: `${executionId ? `Execution ${quotable(executionId)}` : 'Another execution'} is ordering this video now`,
	description: 'Nothing was ordered here. Run it again in a minute.',
});

/** For a create that could not be made ready. */
export const unreadyFault = (thrown: unknown): Fault => {
	const { message, description } = invalidMessage(thrown);
	return { kind: 'invalid', message, description: `${description} ${NOTHING_CREATED}` };
};

/** For a value that is not allowed, and for what n8n could not make ready. */
export const invalidMessage = (thrown: unknown): Message =>
	thrown instanceof InvalidParameter
		? { message: thrown.message, description: thrown.advice }
		: {
				message: thrown instanceof Error ? thrown.message : String(thrown),
				description:
					"Open the node, choose a credential under 'Credential to connect with', and check its fields.",
			};

/** For a create that the service has answered with a no, or that never got there. */
export const notCreatedFault = (error: ServiceError, request?: GenerationRequest): Fault => ({
	kind: kindOfCreate(error),
	...wordsOfCreate(error, { request }),
});

/**
 * For a create after which a task may exist.
 * @param isUnanswered Whether this answer was a no, but not the one to an earlier send.
 */
export function mayExistFault(
	error: ServiceError,
	isUnanswered: boolean,
	request?: GenerationRequest,
): Fault {
	const { message, description } = wordsOfCreate(error, { request, isUnanswered });
	// What is in conflict with an earlier order is so each time, and a named task is never ordered again.
	const isConflict = knowsOrderKey(error);
	const isNamed = error.kind !== 'network' && error.namedTaskId !== undefined;
	const next = isConflict || isNamed ? '' : ` ${SEND_AGAIN}`;
	return { kind: 'noAnswer', message, description: `${description}${next}` };
}

/** For a task that is not finished when its time is up. @param error Why the last read gave no record. */
export function timedOutFault({ order }: Item, error?: ServiceError): Fault {
	const state = error
		? `Last read: ${wordsOfRead(error).message}; it may be finished by now.`
		: `${RUNNING}; to wait longer next time, raise '${LABELS.timeoutMinutes}' in '${LABELS.options}'.`;
	return {
		kind: 'timeout',
		message: `Task ${shownId(order)} was not finished in time (status: ${shownStatus(order)})`,
		description: stillRunning(order, state),
	};
}

/** For a task that was waited for when the run ended. */
export const stoppedFault = ({ order }: Item): Fault => ({
	kind: 'timeout',
	message: `Stopped waiting for task ${shownId(order)} (status: ${shownStatus(order)})`,
	description: stillRunning(order),
	isCutShort: true,
});

/** For a task that cannot be read. */
export function notReadFault({ order, isTaken }: Item, error: ServiceError): Fault {
	const { message: what, description } = wordsOfRead(error);
	const message = `Task ${shownId(order)} could not be read: ${what}`;
	const kind = kindOfRead(error);
	const isKnown = taskOf(order) !== undefined || isTaken === true;
	if (deniesTask(error)) {
		return { kind, message, description: isKnown ? KNOWN_BEFORE : description };
	}
	return { kind, message, description: `${description} ${fetchOf(order)}` };
}

/** For a task that stays completed without any result. */
export function withoutResultsFault(task: Task): Fault {
	const reason = reasonIn(task);
	const said = reason ? `Its record says: ${quoted(reason)} ` : '';
	return {
		kind: 'download',
		message: `Task ${quotable(task.id)} is completed, but the service gave no video`,
		description: `${said}Ask the provider why, or change the prompt.`,
	};
}

/** Why so many creates may not be sent after those before. */
export const tooManyFault = (wanted: number, before: number, max: number): Fault | undefined =>
	before + wanted <= max
		? undefined
		: {
				kind: 'limit',
				message: `'${LABELS.maxNewTasks}' is ${max}, but this run would create ${wanted}${before > 0 ? ` after ${before} in this execution` : ''}`,
				description: `Nothing new was created. Raise '${LABELS.maxNewTasks}' in '${LABELS.options}', or send fewer items.`,
			};

/**
 * The same where the limit is not the person's own, with what a click would order.
 * @param seconds Of each video.
 */
export function tooManyInEditorFault(
	seconds: Array<number | undefined>,
	before: number,
	max: number,
): Fault | undefined {
	if (before + seconds.length <= max) return undefined;
	const total = seconds.reduce<number>((sum, one) => sum + (one ?? DURATION_SECONDS.default), 0);
	const earlier = before > 0 ? ` after ${before} before` : '';
	return {
		kind: 'limit',
		message: `This would create ${seconds.length} ${seconds.length === 1 ? 'video' : 'videos'}, ${total} seconds in total${earlier}, but an execution in the editor creates at most ${max}`,
		description: `Nothing new was created. For more, add '${LABELS.maxNewTasks}' in '${LABELS.options}', or send fewer items.`,
	};
}

const RUNNING = 'It is still running at the service';

const shownId = (order: Order): string => quotable(taskIdOf(order) ?? '');

const shownStatus = (order: Order): string => quotable(taskOf(order)?.status ?? NO_STATUS);

/** Whoever reads this need not order again what is under way. An agent would, in other words. */
function stillRunning(order: Order, state = `${RUNNING}.`): string {
	const again = order.run === TOOL_RUN ? ` ${NO_OTHER_CALL}` : '';
	const fetch = fetchOf(order, ` and '${LABELS.waitForCompletion}' on`);
	return `${state}${again} ${fetch}`;
}

/** How to get the task: an agent has its tools, a person can open another workflow. */
function fetchOf(order: Order, how = ''): string {
	const adviceFor = isCreate(order) && order.run !== TOOL_RUN ? fetchElsewhere : fetchAdvice;
	return adviceFor(taskIdOf(order) ?? '', how);
}
