import { type IDataObject, type INode, NodeOperationError } from 'n8n-workflow';
import {
	continuesOnError,
	endedBy,
	executionIdOf,
	isForMcpClient,
	isTool,
	mayRunAgain,
	runIndexOf,
	withMessage,
} from '../../../nodes/Videogen/ground/n8n';

const NODE: INode = {
	...{ id: '1', name: 'Videogen', type: 'videogen', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

test('a request ends by its own signal; everything else is that of the context', () => {
	const [own, ofExecution] = [new AbortController().signal, new AbortController().signal];
	const context = { getExecutionCancelSignal: () => ofExecution, helpers: {} };
	const proxy = endedBy(own, context);
	expect(proxy.getExecutionCancelSignal()).toBe(own);
	expect(proxy.helpers).toBe(context.helpers);
	expect('helpers' in proxy && !('others' in proxy)).toBe(true);
	expect('getExecutionCancelSignal' in endedBy(own, {})).toBe(true);
});

test.each([
	['its own', { $runIndex: 2 }, 2],
	['the first where n8n tells nothing', {}, 0],
])('the run of a node: %s', (_what, proxy, expected) => {
	const context = Object.assign(Object.create(null), {
		getNode: () => NODE,
		getWorkflowDataProxy: () => proxy,
	});
	expect(runIndexOf(context)).toBe(expected);
});

test.each<[string, boolean, id: string | undefined, parent: string | undefined]>([
	['in no execution', true, undefined, undefined],
	['in an execution of its own', false, '7', undefined],
	['in that of an MCP trigger', true, '7', '@n8n/n8n-nodes-langchain.mcpTrigger'],
	['in that of an agent', false, '7', '@n8n/n8n-nodes-langchain.agent'],
])('a tool that runs %s is for an MCP client: %s', (_where, isFor, id, parent) => {
	// Its type says that there always is an ID.
	const context = { getExecutionId: (): string => Object({ id }).id };
	const more = parent === undefined ? {} : { parentNode: { type: parent } };
	expect(executionIdOf(context)).toBe(id);
	expect(isForMcpClient({ ...context, ...more })).toBe(isFor);
});

test.each<[retryOnFail: boolean | undefined, first: IDataObject | undefined, expected: boolean]>([
	[true, { error: { message: 'No' } }, true],
	[true, { error: null }, true],
	[true, { id: 'task_1' }, false],
	[true, undefined, false],
	[false, { error: { message: 'No' } }, false],
	[undefined, { error: { message: 'No' } }, false],
])(
	'with Retry On Fail %j and the first item %j, n8n may run it again: %j',
	(retryOnFail, first, expected) => {
		const getNode = () => ({ ...NODE, retryOnFail });
		const output = [...(first ? [{ json: first }] : []), { json: { error: 'of another item' } }];
		expect(mayRunAgain({ getNode }, first ? output : [])).toBe(expected);
	},
);

test.each([
	['videogen', false, false],
	['videogen', true, true],
	['videogenTool', false, true],
	['videogenTool', true, true],
	['videogenToolbox', false, false],
])('an error in a %s, set to continue %s, goes out as an item: %s', (type, isSet, expected) => {
	const context = { getNode: () => ({ type }), continueOnFail: () => isSet };
	expect(isTool(context)).toBe(type === 'videogenTool');
	expect(continuesOnError(context)).toBe(expected);
});

test('a message that quotes the name of a system error stays what it is', () => {
	const message = 'The service says: “upstream ECONNREFUSED”.';
	const error = new NodeOperationError(NODE, message);
	expect(error.message).not.toBe(message);
	expect(withMessage(error, message).message).toBe(message);
});
