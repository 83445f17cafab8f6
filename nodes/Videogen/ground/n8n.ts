import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * The context with another cancel signal. From 1.123 to 2.41, n8n ends a request with a credential by
 * the signal of the context, and ignores one in the request's options.
 */
export const endedBy = <Context extends object>(end: AbortSignal, context: Context): Context =>
	new Proxy(context, {
		has: (target, name) => name === CANCEL_SIGNAL || Reflect.has(target, name),
		get: (target, name): unknown =>
			name === CANCEL_SIGNAL ? () => end : Reflect.get(target, name),
	});

/** The execution's ID; `undefined`, against its type, where n8n (1.123 to 2.41) serves an MCP client. */
export const executionIdOf = (
	context: Pick<IExecuteFunctions, 'getExecutionId'>,
): string | undefined => context.getExecutionId();

/** Whether another workflow has started this one and waits, in the words of n8n (1.123 to 2.41). */
export const isSubWorkflow = (context: Pick<IExecuteFunctions, 'getMode'>): boolean =>
	context.getMode() === 'integrated';

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether the node runs for a client of n8n's MCP Server Trigger. n8n runs it in no execution then; in
 * queue mode, 2.41.1 lets a worker run it in the execution of the trigger, and only the context knows
 * which node a tool belongs to.
 */
export const isForMcpClient = (context: Pick<IExecuteFunctions, 'getExecutionId'>): boolean =>
	executionIdOf(context) === undefined ||
	typeOf(Reflect.get(context, 'parentNode')) === MCP_TRIGGER;

const typeOf = (node: unknown): unknown => Reflect.get(Object(node), 'type');

/**
 * Whether n8n may run the node again by itself: with Retry On Fail, it does when the first item of the
 * output has an error; in 1.123 and 2.0 also when that error is null.
 */
export const mayRunAgain = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	[first]: INodeExecutionData[],
): boolean => context.getNode().retryOnFail === true && first?.json.error !== undefined;

/** What this needs of n8n, which gives the index of a run to expressions only, from 1.123 to 2.41. */
export type RunContext = Pick<IExecuteFunctions, 'getWorkflowDataProxy' | 'getNode'>;

const asIndex = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Which run of the node this is in its execution: loops run it many times. */
export const runIndexOf = (context: RunContext): number =>
	asIndex(context.getWorkflowDataProxy(0).$runIndex);

/** Begins or ends a message in the answer that n8n streams, or writes a text into it. */
export type Stream = (type: 'begin' | 'item' | 'end', text?: string) => void;

type StreamContext = Partial<Pick<IExecuteFunctions, 'isStreaming' | 'sendChunk'>>;

/**
 * The answer that n8n streams to the caller of the workflow; `undefined` where it streams none. n8n
 * can from 1.123 on, but not for a tool of an agent before version 3, which runs its tools itself.
 */
export function streamOf(context: StreamContext): Stream | undefined {
	if (!context.isStreaming?.()) return undefined;
	return (type, text) => {
		// That nobody listens any more changes nothing for the run.
		const send = async () => await Promise.resolve(context.sendChunk?.(type, 0, text));
		send().catch(() => undefined);
	};
}

/** What this needs of n8n. */
type NodeContext = { getNode(): { type: string }; continueOnFail(): boolean };

/** Whether an agent runs the node as a tool: n8n (1.123 to 2.41) gives it a type of this name. */
export const isTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/**
 * Whether an error goes out as an item instead of stopping the node. For a tool it always does, as the
 * editor offers no On Error there: an error that is thrown ends the execution with agent 3 in 1.123
 * and 2.0, and in 2.41 the model reads no more than its message.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);

/**
 * The error with this message. From 1.123 to 2.41, n8n replaces a message in which it finds the name
 * of a system error, even inside a quote.
 */
export function withMessage<NodeError extends NodeApiError | NodeOperationError>(
	error: NodeError,
	message: string,
): NodeError {
	error.message = message;
	return error;
}
