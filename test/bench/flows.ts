import {
	CREATE_PATH,
	DURATION_SECONDS,
	TASKS_PATH,
} from '../../nodes/Videogen/service/contract/limits';
import { TRIGGER_NODE, type NewWorkflow } from '../n8n/workflows';
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

type NewNode = NewWorkflow['nodes'][number];
/** Names of the nodes that each output of a node leads to. */
type Wiring = Record<string, string[]>;

const LOOP_NODE = 'Loop Over Items';
const CREATE_NODE = 'Create';
const WAIT_NODE = 'Wait';
const READ_NODE = 'Read';
const CHECK_NODE = 'Completed?';
const DONE_NODE = 'Done';

/** Creates all, waits, reads all; the unfinished ones go back to the wait. */
export const allAtOnceFlow = (flow: HandBuilt): NewWorkflow =>
	workflow(flow, [...commonNodes(flow), doneNode()], {
		[TRIGGER_NODE]: [CREATE_NODE],
		[CREATE_NODE]: [WAIT_NODE],
		[WAIT_NODE]: [READ_NODE],
		[READ_NODE]: [CHECK_NODE],
		[CHECK_NODE]: [DONE_NODE, WAIT_NODE],
	});

/** One item after another: the next is created when the one before has completed. */
export const loopFlow = (flow: HandBuilt): NewWorkflow =>
	workflow(flow, [loopNode(), ...commonNodes(flow), doneNode()], {
		[TRIGGER_NODE]: [LOOP_NODE],
		[LOOP_NODE]: [DONE_NODE, CREATE_NODE],
		[CREATE_NODE]: [WAIT_NODE],
		[WAIT_NODE]: [READ_NODE],
		[READ_NODE]: [CHECK_NODE],
		[CHECK_NODE]: [LOOP_NODE, WAIT_NODE],
	});

function workflow({ name, prompts }: HandBuilt, nodes: NewNode[], wiring: Wiring): NewWorkflow {
	const trigger = node(TRIGGER_NODE, 'manualTrigger', 1, {});
	return {
		name,
		active: false,
		nodes: [trigger, ...nodes].map((one, index) => ({ ...one, position: [index * 220, 0] })),
		connections: connections(wiring),
		pinData: { [TRIGGER_NODE]: prompts.map((prompt) => ({ json: { prompt } })) },
		settings: { executionOrder: 'v1' },
	};
}

const connections = (wiring: Wiring): NewWorkflow['connections'] =>
	Object.fromEntries(
		Object.entries(wiring).map(([from, outputs]) => [
			from,
			{ main: outputs.map((to) => [{ node: to, type: 'main', index: 0 }]) },
		]),
	);

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: NewNode['parameters'],
): NewNode => ({
	id: name,
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	position: [0, 0],
	parameters,
});

const commonNodes = (flow: HandBuilt): NewNode[] => [
	createNode(flow),
	node(WAIT_NODE, 'wait', 1.1, { amount: flow.waitSeconds, unit: 'seconds' }),
	readNode(flow),
	checkNode(),
];

const loopNode = (): NewNode => node(LOOP_NODE, 'splitInBatches', 3, { batchSize: 1, options: {} });

const doneNode = (): NewNode => node(DONE_NODE, 'noOp', 1, {});

const withKey = {
	sendHeaders: true,
	headerParameters: {
		parameters: [{ name: 'Authorization', value: `Bearer ${DEFAULT_API_KEY}` }],
	},
	options: {},
};

function createNode({ baseUrl, model }: HandBuilt): NewNode {
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

const readNode = ({ baseUrl }: HandBuilt): NewNode =>
	node(READ_NODE, 'httpRequest', 4.2, {
		url: `=${baseUrl}/${TASKS_PATH}/{{ $json.id }}`,
		...withKey,
	});

const checkNode = (): NewNode =>
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
