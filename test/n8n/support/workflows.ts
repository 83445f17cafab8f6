/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets -- It runs in Node.js, not in n8n. */
import type { EndedExecution } from '../../../tools/n8n/api';
import {
	VIDEOGEN_NODE,
	callNode,
	ownNode,
	videogenNode,
	waitNode,
	type ChainNode,
} from '../../../tools/n8n/workflows';
import type { SimulatedTask, Simulator } from '../../../tools/simulator';

export const POLL_INTERVAL_SECONDS = 1;
/** A key that the service refuses. */
export const WRONG_KEY = 'wrong-key-0987654321';

/** Parameters that make the node wait, with any further options of waiting. */
export const waiting = (options: Record<string, unknown> = {}) => ({
	waitForCompletion: true,
	options: { pollIntervalSeconds: POLL_INTERVAL_SECONDS, ...options },
});
const notWaiting = { waitForCompletion: false };
/** Image to video with its first frame from the binary field `data`. */
export const FROM_FILE = { operation: 'createImageVideo', prompt: 'A fox', imageSource: 'binary' };

/** Items with one prompt each, and the parameter that reads it. */
export const itemsOf = (prompts: readonly string[]) => prompts.map((prompt) => ({ prompt }));
export const PROMPT_OF_ITEM = { prompt: '={{ $json.prompt }}' };
/** The parameter that takes the prompt from what a webhook was called with. */
const PROMPT_OF_CALL = { prompt: '={{ $json.body.prompt }}' };

/** A task whose record stays as it is. */
export const STANDING_STILL = { outcome: 'never', durationMs: 1e9 } as const;
/** What a failed task says in these tests. */
export const BROKEN = { code: 'content_policy_violation', message: 'The prompt was refused' };

/** A reply with this status code. */
export const replyWith = (code: number) => ({ kind: 'status', status: code }) as const;

export const CREATE_NODE = 'Create';
export const GET_NODE = 'Get Task';

export const create = (parameters: Record<string, unknown>): ChainNode =>
	videogenNode({ parameters: { ...PROMPT_OF_CALL, ...parameters } }, CREATE_NODE);
const getAndWait = (taskId: string): ChainNode =>
	videogenNode({ parameters: { operation: 'getTask', taskId, ...waiting() } }, GET_NODE);

/** What runs behind a webhook: one node that creates the task and waits for it. */
export const ONE_NODE = [create(waiting())];
export const DOWNLOADING = create({ ...waiting(), downloadResults: true });
/** The task is handed over to another workflow, which waits for it; this one is finished by then. */
export const createAndHandOver = (workflowId: string) => [
	create(notWaiting),
	callNode(workflowId, false),
];
/** What that other workflow does. */
export const WAIT_FOR_HANDED_OVER = [getAndWait('={{ $json.id }}')];

/** Puts out this JSON, or what an expression gives. */
const setNode = (name: string, jsonOutput: string): ChainNode =>
	ownNode(name, 'set', 3.4, { mode: 'raw', jsonOutput });

/** An item for each element of a field that is a list. */
const splitNode = (field: string): ChainNode =>
	ownNode(`Split ${field}`, 'splitOut', 1, { fieldToSplitOut: field });

/** An item for each prompt. */
export const promptNodes = (prompts: readonly string[]): ChainNode[] => [
	setNode('Prompts', JSON.stringify({ prompt: prompts })),
	splitNode('prompt'),
];

/** The IDs of all tasks that were created: after a call, the Wait node puts out nothing but the call. */
const ALL_IDS = `$('${CREATE_NODE}').all().map((item) => item.json.id)`;
const TASK_IDS: ChainNode = {
	...setNode('Task IDs', `={{ JSON.stringify({ id: ${ALL_IDS} }) }}`),
	executeOnce: true,
};

/** n8n puts the execution aside until somebody calls, or the time is up; only reading tells the end. */
export const createWaitGet = (prompt: object = PROMPT_OF_CALL, limitSeconds = 3_600) => [
	create({ ...notWaiting, options: { callbackUrl: '={{ $execution.resumeUrl }}' }, ...prompt }),
	waitNode(limitSeconds),
	TASK_IDS,
	splitNode('id'),
	getAndWait('={{ $json.id }}'),
];

export const output = (execution: EndedExecution, index?: number) =>
	execution.output(VIDEOGEN_NODE, index);
export const jsonOf = (execution: EndedExecution, index?: number) =>
	output(execution, index).map(({ json }) => json);
/** The same of a node with another name. */
export const jsonFrom = (execution: EndedExecution, node: string) =>
	execution.output(node).map(({ json }) => json);
/** Everything that an execution says to its user about what went wrong. */
export const saidBy = ({ error }: EndedExecution): string =>
	`${error?.message}. ${error?.description}`;

/** Whether the node has begun to poll for a task: a second read comes from its waiting. */
export const isPolled = (sim: Simulator, { id }: SimulatedTask): boolean =>
	sim.reads(id).length >= 2;

/** Resolves when there are so many tasks and n8n polls for all of them. */
export async function untilPolled({ sim }: { sim: Simulator }, count = 1): Promise<void> {
	const arePolled = () =>
		sim.tasks.size === count && [...sim.tasks.values()].every((task) => isPolled(sim, task));
	await sim.waitForRequest(arePolled);
}
