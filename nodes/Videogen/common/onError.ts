/** What this needs of n8n. */
interface NodeContext {
	getNode(): { type: string };
	continueOnFail(): boolean;
}

/** n8n names the variant of a node that agents use as a tool like this. */
const TOOL_TYPE = /Tool$/;

/** Whether an agent runs the node as one of its tools. */
export const isTool = (context: NodeContext): boolean => TOOL_TYPE.test(context.getNode().type);

/**
 * Whether what went wrong goes out as an item instead of stopping the node. For a tool it always
 * does: of what is thrown, the model gets nothing or half, and in some versions the whole
 * execution ends; the editor offers no On Error for tools.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);
