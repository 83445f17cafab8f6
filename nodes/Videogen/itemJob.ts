import type { IExecuteFunctions } from 'n8n-workflow';
import { isTool } from './common/onError';
import type { ItemPlan } from './items/plan';
import type { Message } from './messages/message';
import { invalidMessage, UNANSWERED_BEFORE } from './messages/outcomeMessage';
import type { PlannedRequest } from './operations/operation';
import { requestIdentities } from './parameters/requestIdentity';
import type { Answer } from './service/answer';
import type { ServiceClient } from './service/client';
import type { TaskJob } from './tasks/job';
import type { TaskStore } from './tasks/taskStore';

/** What the job of an item works with. */
export interface JobParts {
	context: IExecuteFunctions;
	client: ServiceClient;
	store: TaskStore;
	/** Of the service. */
	baseUrl: string;
	/** Where the service calls back when the node rests instead of waiting. */
	resumeUrl: string | undefined;
}

/** One item with a plan, and what follows its outcome. */
interface PlannedJob extends Pick<TaskJob, 'complete'> {
	plan: ItemPlan;
	itemIndex: number;
}

/** An item's job, which goes on from what an earlier try did; or why it may not begin at all. */
export function itemJob(
	{ plan, itemIndex, complete }: PlannedJob,
	{ context, client, store, baseUrl, resumeUrl }: JobParts,
): TaskJob | Message {
	const { intent } = plan;
	const job: TaskJob = {
		read: async (taskId, signal, atMostMs) => await client.read(taskId, signal, atMostMs),
		wait: plan.wait?.plan,
		complete,
	};
	if (intent.kind === 'read') {
		return { ...job, existing: { taskId: intent.taskId, isOwn: false } };
	}
	const submit = async () => await submitted(intent.request, client, resumeUrl);
	const item = context.getInputData()[itemIndex]?.json;
	const written = isTool(context) ? undefined : context.getNode().parameters;
	const identities = requestIdentities(intent.request.body, { written, item, baseUrl });
	const earlier = store.begin(itemIndex, identities);
	if (earlier === 'nothing') return { ...job, submit };
	if (earlier !== 'unanswered') return { ...job, submit, existing: earlier };
	return intent.settings.resendAfterNoReply
		? { ...job, submit, mayExist: true }
		: UNANSWERED_BEFORE;
}

/** Links to files are made only now, as they expire. */
async function submitted(
	request: PlannedRequest,
	client: ServiceClient,
	resumeUrl: string | undefined,
): Promise<Answer> {
	try {
		const callback = resumeUrl && { callback_url: resumeUrl };
		return await client.create({ ...request.toSend(), ...callback });
	} catch (thrown) {
		return { kind: 'error', error: { kind: 'notSent', ...invalidMessage(thrown) } };
	}
}
