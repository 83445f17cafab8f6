import type { CredentialRef } from './api';
import { oneAfterTheOther } from './fileWorkflow';
import { VIDEOGEN_TYPE, type NewNode, type NewWorkflow } from './workflows';

export const CREATE_NODE = 'Create Video';
export const WAIT_NODE = 'Wait for Callback';
export const GET_TASK_NODE = 'Get Video';
const OTHER_WORK_NODE = 'Other Work';

export interface CallbackWorkflow {
	name: string;
	credential: CredentialRef;
	/** What starts it. */
	trigger: NewNode;
	/** When it goes on without a callback. */
	waitLimitSeconds?: number;
	/** Where the service reports; the execution's own resume address unless given. */
	callbackUrl?: string;
	/** What the execution calls before it begins to wait; it is running until that answers. */
	otherWorkUrl?: string;
}

const DEFAULT_WAIT_LIMIT_SECONDS = 3_600;

/** Trigger → Videogen (create, not waiting) → Wait → Videogen (get task, waiting). */
export function callbackWorkflow(wanted: CallbackWorkflow): NewWorkflow {
	const nodes = [
		wanted.trigger,
		createNode(wanted),
		...(wanted.otherWorkUrl === undefined ? [] : [otherWorkNode(wanted.otherWorkUrl)]),
		waitNode(wanted),
		getTaskNode(wanted),
	];
	return {
		name: wanted.name,
		active: false,
		nodes,
		connections: oneAfterTheOther(nodes.map(({ name }) => name)),
		pinData: {},
		settings: { executionOrder: 'v1' },
	};
}

const videogenNode = ({ id, name }: CredentialRef) => ({
	type: VIDEOGEN_TYPE,
	typeVersion: 1,
	credentials: { videogenApi: { id, name } },
});

const createNode = ({ credential, callbackUrl }: CallbackWorkflow): NewNode => ({
	id: 'create',
	name: CREATE_NODE,
	position: [220, 0],
	...videogenNode(credential),
	parameters: {
		prompt: 'A fox',
		waitForCompletion: false,
		options: { callbackUrl: callbackUrl ?? '={{ $execution.resumeUrl }}' },
	},
});

const otherWorkNode = (url: string): NewNode => ({
	id: 'other',
	name: OTHER_WORK_NODE,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	position: [330, 0],
	parameters: { url, options: {} },
});

const waitNode = ({
	waitLimitSeconds = DEFAULT_WAIT_LIMIT_SECONDS,
}: CallbackWorkflow): NewNode => ({
	id: 'wait',
	name: WAIT_NODE,
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	position: [440, 0],
	webhookId: 'wait-for-callback',
	parameters: {
		resume: 'webhook',
		httpMethod: 'POST',
		limitWaitTime: true,
		limitType: 'afterTimeInterval',
		resumeAmount: waitLimitSeconds,
		resumeUnit: 'seconds',
		options: {},
	},
});

/** The task's ID is the one that the create gave: nothing signs a callback. */
const getTaskNode = ({ credential }: CallbackWorkflow): NewNode => ({
	id: 'get',
	name: GET_TASK_NODE,
	position: [660, 0],
	...videogenNode(credential),
	parameters: {
		operation: 'getTask',
		taskId: `={{ $('${CREATE_NODE}').first().json.id }}`,
		waitForCompletion: true,
		waitOptions: { pollIntervalSeconds: 1 },
	},
});
