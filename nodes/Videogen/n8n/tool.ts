/** What this needs of n8n. */
type NodeContext = { getNode(): { type: string }; continueOnFail(): boolean };

/** Whether an agent runs the node as one of its tools: n8n (1.123 to 2.41) names that variant so. */
export const isTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/**
 * Whether what went wrong goes out as an item instead of stopping the node. For a tool it always
 * does: of what is thrown, the model gets nothing or half, and in some versions the whole
 * execution ends; the editor offers no On Error for tools.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);
