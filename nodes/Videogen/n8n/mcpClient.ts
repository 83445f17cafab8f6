import type { IExecuteFunctions } from 'n8n-workflow';
import { executionIdOf } from './execution';

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether a client of n8n's MCP Server Trigger asks for what the node gives. n8n then runs the
 * node in no execution; in queue mode, 2.41.1 lets a worker run it in the execution of the trigger,
 * and the node that a tool belongs to is known to the context alone.
 */
export const isForMcpClient = (context: Pick<IExecuteFunctions, 'getExecutionId'>): boolean =>
	executionIdOf(context) === undefined ||
	typeOf(Reflect.get(context, 'parentNode')) === MCP_TRIGGER;

const typeOf = (node: unknown): unknown => Reflect.get(Object(node), 'type');
