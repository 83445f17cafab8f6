import type { IExecuteFunctions } from 'n8n-workflow';
import { isTool } from './common/onError';
import type { Clock } from './common/timer';
import type { ItemPlan } from './items/plan';
import type { ItemState } from './items/result';
import type { Message } from './messages/message';
import { invalidMessage, tooManyMessage, UNANSWERED_BEFORE } from './messages/outcomeMessage';
import type { PlannedRequest } from './operations/operation';
import type { Service } from './parameters/connection';
import { requestIdentities } from './parameters/requestIdentity';
import type { Answer } from './service/answer';
import type { TaskJob } from './tasks/job';
import type { TaskStore } from './tasks/taskStore';

/** What a run of the node works with. */
export interface RunParts {
	context: IExecuteFunctions;
	clock: Clock;
	/** Which run of the node in its execution this is. */
	runIndex: number;
	service: Service;
	store: TaskStore;
	planned: ItemState[];
	/** Where the service calls back when the node rests instead of waiting. */
	resumeUrl: string | undefined;
}

/**
 * An item's job, which goes on from what an earlier try did; or why it may not begin at all.
 * @param maxNewTasks How many tasks the execution may create; 0 is no limit.
 */
export function itemJob(
	plan: ItemPlan,
	itemIndex: number,
	parts: RunParts,
	maxNewTasks: number,
): TaskJob | Message {
	const { intent } = plan;
	const { context, store } = parts;
	const { client, baseUrl } = parts.service;
	const job: TaskJob = {
		read: async (taskId, signal, atMostMs) => await client.read(taskId, signal, atMostMs),
		wait: plan.wait?.plan,
	};
	if (intent.kind === 'read') {
		return { ...job, existing: { taskId: intent.taskId, isOwn: false } };
	}
	const item = context.getInputData()[itemIndex]?.json;
	const source = isTool(context) ? undefined : { parameters: context.getNode().parameters, item };
	const identities = requestIdentities(intent.request.body, baseUrl, source);
	const earlier = store.begin(itemIndex, identities);
	if (earlier.mayExist && !intent.settings.resendAfterNoReply) return UNANSWERED_BEFORE;
	const submit = async (): Promise<Answer> => {
		// A task of an earlier try may have failed since, and calls of a tool run side by side.
		const tooMany = tooManyMessage(1, store.newTasks - 1, maxNewTasks);
		return tooMany ? notSent(tooMany) : await sent(intent.request, parts);
	};
	return { ...job, ...earlier, submit };
}

/** Links to files are made only now, as they expire. */
async function sent(request: PlannedRequest, { service, resumeUrl }: RunParts): Promise<Answer> {
	try {
		const callback = resumeUrl && { callback_url: resumeUrl };
		return await service.client.create({ ...request.toSend(), ...callback });
	} catch (thrown) {
		return notSent(invalidMessage(thrown));
	}
}

const notSent = (message: Message): Answer => ({
	kind: 'error',
	error: { kind: 'notSent', ...message },
});
