import type { IExecuteFunctions } from 'n8n-workflow';
import { tooManyMessage, UNANSWERED_BEFORE, unreadyMessage } from './outcomeMessage';
import type { PlannedCreate } from '../fields/operation';
import type { GenerationRequest } from '../service/contract/request';
import type { Entry, NotSent } from '../work/entry';
import type { RunReport } from '../work/runReport';
import type { TaskStore } from '../work/taskStore';
import { logCreated, logUnanswered } from './log';
import type { Reuse } from './reuse';

/** What is counted of creates, and written into n8n's log. */
export function createReport(
	context: IExecuteFunctions,
	store: TaskStore,
	reuse: Reuse,
): RunReport {
	const isCancelled = () => context.getExecutionCancelSignal()?.aborted === true;
	return {
		onCount: (more) => store.count(more),
		onCreated: (entry, task) => {
			reuse.settle(entry);
			logCreated(context, task, entry.item, isCancelled());
		},
		onUnanswered: ({ item }, error) => logUnanswered(context, error, item),
	};
}

/**
 * What is sent for an entry now, or why nothing is. A task of an earlier try may have failed since the
 * run began, and calls of a tool run side by side: so the limit counts here, too.
 * @param create How it is sent; links to files are made only now, as they expire.
 * @param resumeUrl Where the service calls back when the node rests instead of waiting.
 */
export async function requestFor(
	entry: Entry,
	create: PlannedCreate | undefined,
	resumeUrl: string | undefined,
	{ store, maxNewTasks }: { store: TaskStore; maxNewTasks: number },
): Promise<GenerationRequest | NotSent> {
	if (entry.unanswered && !create?.settings.resendAfterNoReply) {
		return { kind: 'notSent', why: 'noAnswer', ...UNANSWERED_BEFORE };
	}
	try {
		if (create === undefined) throw new Error('There is no request to send');
		const body = { ...(await create.toSend()), ...(resumeUrl && { callback_url: resumeUrl }) };
		const tooMany = tooManyMessage(1, store.newTasks, maxNewTasks);
		if (tooMany) return { kind: 'notSent', why: 'limit', ...tooMany };
		entry.request = create.request;
		return body;
	} catch (thrown) {
		return { kind: 'notSent', why: 'invalid', ...unreadyMessage(thrown) };
	}
}
