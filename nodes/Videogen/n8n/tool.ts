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
