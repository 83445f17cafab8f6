/** What this needs of n8n. */
type NodeContext = { getNode(): { type: string }; continueOnFail(): boolean };

/** Whether an agent runs the node as one of its tools: n8n (1.123 to 2.41) names that variant so. */
export const isTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/**
 * Whether what went wrong goes out as an item instead of stopping the node. For a tool it always
 * does: of what is thrown, agent 3 ends the execution in 1.123 and 2.0, and tells its model no more
 * than the message in 2.41; the editor offers no On Error for tools.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);
