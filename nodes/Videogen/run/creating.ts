import type { IExecuteFunctions } from 'n8n-workflow';
import type { Message } from '../messages/message';
import { tooManyMessage, unreadyMessage } from '../messages/outcomeMessage';
import type { PlannedCreate } from '../operations/operation';
import type { Service } from '../parameters/connection';
import type { GenerationRequest } from '../service/contract/request';
import type { CreateLimiter } from '../tasks/createLimiter';
import type { CreateTools } from '../tasks/creates';
import type { Entry } from '../tasks/entry';
import type { TaskStore } from '../tasks/taskStore';
import { logCreated, logLateAnswer, logUnanswered } from './log';

/** What creating goes by in a run of the node. */
interface CreatingParts {
	context: IExecuteFunctions;
	service: Service;
	limiter: CreateLimiter;
	store: TaskStore;
	/** How the create of each item is sent, files included. */
	creates: Array<PlannedCreate | undefined>;
	/** Where the service calls back when the node rests instead of waiting. */
	resumeUrl: string | undefined;
}

/**
 * How the creates of a run are sent, counted and written into n8n's log.
 * @param maxNewTasks How many tasks the execution may create; 0 is no limit.
 */
export function createToolsFor(parts: CreatingParts, maxNewTasks: number): CreateTools {
	const { context, service, limiter, store } = parts;
	const isCancelled = () => context.getExecutionCancelSignal()?.aborted === true;
	return {
		limiter,
		create: async (...request) => await service.client.create(...request),
		bodyFor: (entry) =>
			// A task of an earlier try may have failed since, and calls of a tool run side by side.
			tooManyMessage(1, store.newTasks, maxNewTasks) ?? bodyFor(entry, parts),
		count: (more) => store.count(more),
		onCreated: ({ item }, task) => logCreated(context, task, item, isCancelled()),
		onUnanswered: ({ item }, error) => logUnanswered(context, error, item),
		onLate: ({ item }, answer) => logLateAnswer(context, answer, item),
	};
}

/** Links to files are made only now, as they expire. */
function bodyFor(
	{ item }: Entry,
	{ creates, resumeUrl }: CreatingParts,
): GenerationRequest | Message {
	try {
		const body = creates[item]?.toSend();
		if (body === undefined) throw new Error('There is no request to send');
		return { ...body, ...(resumeUrl && { callback_url: resumeUrl }) };
	} catch (thrown) {
		return unreadyMessage(thrown);
	}
}
