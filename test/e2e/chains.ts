import type { ChainNode } from '../n8n/webhookWorkflow';
import { notWaiting, waiting } from './suite';

export const CREATE_NODE = 'Create';
export const GET_NODE = 'Get Task';

/** The parameter that takes the prompt from what a webhook was called with. */
export const PROMPT_OF_CALL = { prompt: '={{ $json.body.prompt }}' };

/** One node that creates the task and waits for it. */
export const CREATE_AND_WAIT: ChainNode = {
	name: CREATE_NODE,
	parameters: { ...PROMPT_OF_CALL, ...waiting() },
};

/** The same in two nodes, so that the task's id is there before the wait begins. */
const CREATE_ONLY: ChainNode = {
	name: CREATE_NODE,
	parameters: { ...PROMPT_OF_CALL, ...notWaiting },
};
const GET_AND_WAIT: ChainNode = {
	name: GET_NODE,
	parameters: { operation: 'getTask', taskId: '={{ $json.id }}', ...waiting() },
};
export const ONE_NODE = [CREATE_AND_WAIT];
export const TWO_NODES = [CREATE_ONLY, GET_AND_WAIT];

/** The task is handed over to another workflow, which waits for it; this one is finished by then. */
export const CREATE_AND_HAND_OVER = (workflowId: string): ChainNode[] => [
	CREATE_ONLY,
	{
		name: 'Hand Over',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			options: { waitForSubWorkflow: false },
		},
	},
];
/** What that other workflow does. */
export const WAIT_FOR_HANDED_OVER = [GET_AND_WAIT];

/** n8n puts the execution aside until the service calls back. */
export const CREATE_AND_BE_CALLED: ChainNode[] = [
	{
		name: CREATE_NODE,
		parameters: {
			...PROMPT_OF_CALL,
			...notWaiting,
			options: { callbackUrl: '={{ $execution.resumeUrl }}' },
		},
	},
	{
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
		webhookId: 'wait',
	},
	{
		name: GET_NODE,
		parameters: {
			operation: 'getTask',
			taskId: `={{ $('${CREATE_NODE}').item.json.id }}`,
			...waiting(),
		},
	},
];
