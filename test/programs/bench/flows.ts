import {
	CREATE_PATH,
	DURATION_SECONDS,
	TASKS_PATH,
} from '../../../nodes/Videogen/service/contract/limits';
import {
	TRIGGER_NODE,
	chainWorkflow,
	to,
	triggerNode,
	type ChainNode,
	type NewWorkflow,
} from '../realN8n/workflows';
import { DEFAULT_API_KEY } from '../simulator';

/**
 * What people build today without this node, from n8n's own nodes, as well as it can be built:
 * no node more than needed, requests of all items together where the flow allows it.
 */
export interface HandBuilt {
	name: string;
	/** The service's address. */
	baseUrl: string;
	prompts: string[];
	/** What each create asks for as `model`. */
	model: string;
	waitSeconds: number;
}

const LOOP_NODE = 'Loop Over Items';
const CREATE_NODE = 'Create';
const WAIT_NODE = 'Wait';
const READ_NODE = 'Read';
const CHECK_NODE = 'Completed?';
const DONE_NODE = 'Done';

/** Creates all, waits, reads all; the unfinished ones go back to the wait. */
export const allAtOnceFlow = (flow: HandBuilt): NewWorkflow =>
	workflow(flow, [...commonNodes(flow), DONE], {
		[TRIGGER_NODE]: to(CREATE_NODE),
		[CREATE_NODE]: to(WAIT_NODE),
		[WAIT_NODE]: to(READ_NODE),
		[READ_NODE]: to(CHECK_NODE),
		[CHECK_NODE]: to(DONE_NODE, WAIT_NODE),
	});

/** One item after another: the next is created when the one before has completed. */
export const loopFlow = (flow: HandBuilt): NewWorkflow =>
	workflow(flow, [LOOP, ...commonNodes(flow), DONE], {
		[TRIGGER_NODE]: to(LOOP_NODE),
		[LOOP_NODE]: to(DONE_NODE, CREATE_NODE),
		[CREATE_NODE]: to(WAIT_NODE),
		[WAIT_NODE]: to(READ_NODE),
		[READ_NODE]: to(CHECK_NODE),
		[CHECK_NODE]: to(LOOP_NODE, WAIT_NODE),
	});

const workflow = (
	{ name, prompts }: HandBuilt,
	nodes: ChainNode[],
	connections: NewWorkflow['connections'],
): NewWorkflow => ({
	...chainWorkflow({
		name,
		credentials: {},
		nodes: [triggerNode(), ...nodes],
		items: prompts.map((prompt) => ({ prompt })),
	}),
	connections,
});

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: ChainNode['parameters'],
): ChainNode => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

const LOOP = node(LOOP_NODE, 'splitInBatches', 3, { batchSize: 1, options: {} });
const DONE = node(DONE_NODE, 'noOp', 1, {});

const commonNodes = (flow: HandBuilt): ChainNode[] => [
	createNode(flow),
	node(WAIT_NODE, 'wait', 1.1, { amount: flow.waitSeconds, unit: 'seconds' }),
	readNode(flow),
	checkNode(),
];

const withKey = {
	sendHeaders: true,
	headerParameters: {
		parameters: [{ name: 'Authorization', value: `Bearer ${DEFAULT_API_KEY}` }],
	},
	options: {},
};

function createNode({ baseUrl, model }: HandBuilt): ChainNode {
	const rest = { model, duration: DURATION_SECONDS.default, quality: '720p' };
	return node(CREATE_NODE, 'httpRequest', 4.2, {
		method: 'POST',
		url: `${baseUrl}/${CREATE_PATH}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ prompt: $json.prompt, ...${JSON.stringify(rest)} }) }}`,
		...withKey,
	});
}

const readNode = ({ baseUrl }: HandBuilt): ChainNode =>
	node(READ_NODE, 'httpRequest', 4.2, {
		url: `=${baseUrl}/${TASKS_PATH}/{{ $json.id }}`,
		...withKey,
	});

const checkNode = (): ChainNode =>
	node(CHECK_NODE, 'if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'completed',
					leftValue: '={{ $json.status }}',
					rightValue: 'completed',
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
		options: {},
	});
